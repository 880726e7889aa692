/** Where the PDF reader cannot run, that is said; a good document is not called damaged. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { LOWEST_NODE } from '../../../lib/floor.ts'
import { previewFields } from '../../../lib/pdf/placement/preview.ts'
import { ran } from '../../support/processes.ts'

const preview = import.meta.resolve('../../../lib/pdf/placement/preview.ts')
const fixture = join(import.meta.dirname, '../../fixtures/pdf/encrypted-owner.pdf')

/** Prints what a preview of a good document comes to in a program that begins with `preparation`. */
const previewAfter = (preparation: string) =>
  ran([
    '--input-type=module',
    '--eval',
    `import { readFileSync } from 'node:fs'
     import { registerHooks } from 'node:module'
     ${preparation}
     const { previewFields } = await import(${JSON.stringify(preview)})
     const annotations = { type: 'SmartAnnotations' }
     const twice = [1, 2].map(() => previewFields(readFileSync(${JSON.stringify(fixture)}), annotations))
     for (const settled of await Promise.allSettled(twice))
       console.log(settled.status, settled.reason?.code, settled.reason?.message ?? settled.value.problem)`,
  ])

const answered = (reason: string) => {
  const line = `rejected READER_UNAVAILABLE The PDF reader ${reason}. Use Node.js 22.13 or later, with all dependencies of this package installed.\n`
  return { code: 0, stdout: line + line, stderr: '' }
}

describe('a preview', function () {
  this.timeout(60_000)

  it('reads a good document where all is there', async () => {
    const placed = await previewFields(readFileSync(fixture), { type: 'SmartAnnotations' })
    expect(placed.ok || placed.problem).not.to.match(/damaged|cannot be read/)
  })

  it('says what the program lacks', async () => {
    expect(await previewAfter('Promise.withResolvers = undefined; URL.parse = undefined')).to.deep.equal(
      answered('needs Promise.withResolvers and URL.parse, which this program does not have'),
    )
  })

  it('says that the reader is not installed', async () => {
    const hide = `registerHooks({
      resolve(specifier, context, next) {
        if (!specifier.startsWith('pdfjs-dist/')) return next(specifier, context)
        throw Object.assign(new Error('not found'), { code: 'ERR_MODULE_NOT_FOUND' })
      },
    })`
    expect(await previewAfter(hide)).to.deep.equal(answered('could not be loaded (ERR_MODULE_NOT_FOUND)'))
  })

  it('names the lowest version of Node.js that the package asks for', () => {
    expect(LOWEST_NODE).to.match(/^22\.13\./)
  })
})

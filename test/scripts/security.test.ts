/** SECURITY.md says of everybody what they cannot do, and names tests that are there. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'

const root = join(import.meta.dirname, '../..')
const actors = [
  'sender',
  'signer',
  'administrator',
  'operator',
  'receiver',
  'holder of a signed file',
  'thief of a disk',
]

/** What each actor cannot do, one text for each line of the list. */
function claimsIn(text: string): Record<string, string[]> {
  const [, lists = ''] = text.split('## Who cannot do what')
  const found = [...lists.matchAll(/^\*\*(?:An? )?([^*]+)\*\*.*cannot\n\n((?:- .*\n(?: {2}.*\n)*)+)/gm)]
  return Object.fromEntries(found.map(([, actor, list]) => [actor, list!.split(/^- /m).slice(1)]))
}

const pathsIn = (text: string) => [...text.matchAll(/`(test\/[^`]+)`/g)].map(([, path]) => path!)
const missingIn = (text: string) => pathsIn(text).filter((path) => !existsSync(join(root, path)))

describe('SECURITY.md', () => {
  const text = readFileSync(join(root, 'SECURITY.md'), 'utf8')

  it('names tests that are there', () => {
    expect(missingIn(text)).to.deep.equal([])
  })

  it('would be found to name one that is not', () => {
    const path = 'test/server/pdf/verify.test.ts'
    expect(missingIn(text.replaceAll(path, `${path}x`))).to.include(`${path}x`)
  })

  it('says of everybody what they cannot do, and names a test for each', () => {
    const claims = claimsIn(text)
    expect(Object.keys(claims)).to.include.members(actors)
    for (const claim of Object.values(claims).flat()) expect(pathsIn(claim), claim).not.to.deep.equal([])
    expect(Object.values(claims).flat().flatMap(pathsIn)).to.deep.equal(pathsIn(text))
  })

  it('comes with the package', () => {
    const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: string[] }
    expect(files).to.include('SECURITY.md')
  })
})

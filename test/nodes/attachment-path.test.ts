/** A PDF that a message names by its path: a plain file, and nothing that a read would wait for or never end. */
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { encodeAttachment } from '../../nodes/shared/document/attachment.ts'
import { aFolder } from '../support/a-folder.ts'
import { makePipe } from '../support/a-pipe.ts'

describe('the PDF of a message that is a path', () => {
  const result = (path: string) => encodeAttachment(path, 'path').catch(({ message }: Error) => message)

  it('is read, also behind a link', async () => {
    const folder = aFolder()
    writeFileSync(join(folder, 'a.pdf'), '%PDF-1.7')
    symlinkSync(join(folder, 'a.pdf'), join(folder, 'link.pdf'))
    for (const name of ['a.pdf', 'link.pdf'])
      expect(await result(join(folder, name))).to.equal(Buffer.from('%PDF-1.7').toString('base64'))
  })

  it('is refused when it is a pipe, a device or a folder, without its path', async () => {
    const folder = aFolder()
    makePipe(join(folder, 'pipe.pdf'))
    for (const path of [join(folder, 'pipe.pdf'), '/dev/zero', folder])
      expect(await result(path)).to.equal('document.attachment: the file cannot be read (EFTYPE)')
    expect(await result(join(folder, 'missing.pdf'))).to.equal('document.attachment: the file cannot be read (ENOENT)')
  })
})

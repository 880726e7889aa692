/** Files that the operator names and that are something else: each option says what is wrong, waits for nothing, and reads no more than 64 MB. */
import { openSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { MOST_BYTES, readNamedFile, readPlainFile, whyUnread } from '../../../lib/plain-file.ts'
import { aFolder } from '../../support/a-folder.ts'
import { makePipe } from '../../support/a-pipe.ts'
import { called } from '../../support/commands/called.ts'

describe('A file that the operator names', function () {
  this.timeout(60_000)
  const folder = aFolder()
  const at = (name: string) => join(folder, name)
  const sparse = (name: string) => {
    writeFileSync(at(name), '')
    truncateSync(at(name), 2 ** 30)
    return at(name)
  }
  makePipe(at('pipe'))
  symlinkSync(at('loop'), at('loop'))
  symlinkSync('/dev/zero', at('zero'))
  writeFileSync(at('file.json'), '{}')
  symlinkSync(at('file.json'), at('link'))
  const files: [what: string, file: string, why: string][] = [
    ['a pipe without a writer', at('pipe'), 'is a device, a socket or a pipe; name a plain file'],
    ['a device without an end', '/dev/zero', 'is a device, a socket or a pipe; name a plain file'],
    ['a device that is full', '/dev/full', 'is a device, a socket or a pipe; name a plain file'],
    ['a link to a device', at('zero'), 'is a device, a socket or a pipe; name a plain file'],
    ['a folder', folder, 'cannot be read (EISDIR)'],
    ['a link to itself', at('loop'), 'cannot be read (ELOOP)'],
    ['1 GB of nothing', sparse('sparse'), 'has more than 64 MB; name a smaller one'],
    ['a name that is not there', at('none'), 'cannot be read (ENOENT)'],
  ]
  const message = at('file.json')
  const options: [option: string, call: (file: string) => string[], subject: string, environment?: string][] = [
    ['--scenario', (file) => ['serve', '--sandbox', '--scenario', file], '--scenario: this file'],
    ['--seed', (file) => ['serve', '--sandbox', '--seed', file], '--seed: the file'],
    ['--profile', (file) => ['serve', '--sandbox', '--profile', file], '--profile: the file'],
    ['a secret', (file) => ['serve', '--smtp-password-file', file], '--smtp-password-file: the file'],
    ['a variable', () => ['serve'], 'COUNTERSIGN_MASTER_KEY_FILE: the file', 'COUNTERSIGN_MASTER_KEY_FILE'],
    ['sandbox seed', (file) => ['sandbox', 'seed', file, '--url', 'http://127.0.0.1:1'], 'the seed: this file'],
    ['map', (file) => ['map', '--from', 'hl7', file], 'the message: this file'],
    ['--map', (file) => ['map', '--from', 'hl7', '--map', file, message], '--map: this file'],
    [
      '--table',
      (file) => ['map', '--from', 'hl7', '--table', `signers=${file}`, message],
      '--table signers: this file',
    ],
    [
      '--fields',
      (file) => [
        ...['templates', 'create', '--summary', 'S', '--clinical-date-label', 'L', '--organization', 'X'],
        ...['--fields', file],
      ],
      '--fields: this file',
    ],
  ]
  for (const [option, call, subject, variable] of options)
    it(`is refused by ${option} when it is no plain file, or too large`, async () => {
      for (const [what, file, why] of files) {
        const { code, stderr } = await called(call(file), variable ? { [variable]: file } : {})
        expect(code, what).to.equal(2)
        expect(stderr, what).to.include(`${subject} ${why}`)
      }
    })

  it('may be a link, and may hold as much as the limit', () => {
    expect(String(readNamedFile(at('link')))).to.equal('{}')
    const whole = at('whole')
    writeFileSync(whole, '')
    truncateSync(whole, MOST_BYTES)
    expect(readNamedFile(whole)).to.have.length(MOST_BYTES)
  })

  it('that the shell passes as a number is read, and no device is', () => {
    expect(String(readNamedFile(`/dev/fd/${openSync(at('file.json'), 'r')}`))).to.equal('{}')
    try {
      readNamedFile(`/dev/fd/${openSync('/dev/zero', 'r')}`)
      expect.fail('read')
    } catch (failure) {
      expect(whyUnread(failure as NodeJS.ErrnoException)).to.include('is a device')
    }
  })

  it('is refused in a folder that someone passes on when it is too large', async () => {
    const large = await readPlainFile(sparse('recording.json'), { mostBytes: MOST_BYTES }).catch(({ code }) => code)
    expect(large).to.equal('EFBIG')
  })
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { withPassword } from '../../../../server/store/sql/password-file.ts'
import { aFolder } from '../../../support/a-folder.ts'

describe('the file of passwords for PostgreSQL', () => {
  const SERVER = 'postgres://ann@db.example.org/sign'
  const read = (lines: string, url = SERVER, more: NodeJS.ProcessEnv = {}, mode = 0o600) => {
    const file = join(aFolder(), 'passwords')
    writeFileSync(file, lines, { mode })
    const found = withPassword(url, { PGPASSFILE: file, ...more })
    return found === url ? null : decodeURIComponent(new URL(found).password)
  }

  for (const [what, lines, password] of [
    ['a line of its own', 'db.example.org:5432:sign:ann:one', 'one'],
    ['stars', '*:*:*:*:any', 'any'],
    ['the first line that fits', 'other:*:*:*:no\n*:*:*:ann:first\n*:*:*:*:second', 'first'],
    ['colons and backslashes in it', '*:*:*:*:a\\:b\\\\c@/?#%', 'a:b\\c@/?#%'],
    ['lines as Windows ends them', '*:*:*:*:one\r\n', 'one'],
    ['comments', '#*:*:*:*:no\n*:*:*:*:yes', 'yes'],
  ] as const)
    it(`is read with ${what}`, () => expect(read(lines)).to.equal(password))

  for (const [what, lines] of [
    ['another host', 'localhost:*:*:*:no'],
    ['another port', '*:5433:*:*:no'],
    ['another database', '*:*:mail:*:no'],
    ['another user', '*:*:*:root:no'],
    ['too few fields', '*:*:*:no'],
    ['too many', '*:*:*:*:no:no'],
  ] as const)
    it(`has none for ${what}`, () => expect(read(lines)).to.equal(null))

  it('takes the name of the user for the database that is not named', () => {
    expect(read('*:*:ann:*:own', 'postgres://ann@db.example.org')).to.equal('own')
  })

  it('comes after a password in the URL and in PGPASSWORD, and must be closed to others', () => {
    expect(read('*:*:*:*:no', 'postgres://ann:own@db.example.org/sign')).to.equal(null)
    expect(read('*:*:*:*:no', SERVER, { PGPASSWORD: 'own' })).to.equal(null)
    expect(read('*:*:*:*:no', SERVER, {}, 0o644)).to.equal(null)
    expect(withPassword(SERVER, { PGPASSFILE: join(aFolder(), 'none') })).to.equal(SERVER)
  })
})

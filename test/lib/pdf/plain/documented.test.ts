/** The page about documents names the operators of the grammar, all of them and no others. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { plainOperators } from '../../../../lib/pdf/plain/operators.ts'

describe('docs/guides/documents.md', () => {
  it('names each operator of a plain document', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../../docs/guides/documents.md'), 'utf8')
    const rows = page.split('\n').filter((line) => /^\| (?:Operators|Paths|Text|State|Colors)/.test(line))
    const named = new Set(rows.flatMap((row) => [...row.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)))
    expect([...named].sort()).to.deep.equal([...plainOperators.keys()].sort())
  })
})

/** Where the paths of the tables begin, which is known without loading them. */
import { expect } from 'chai'
import { parseProfile } from '../../../lib/profile/parse-profile.ts'
import { below, firstPartOf } from '../../../server/http/doors/below.ts'
import { operator } from '../../../server/operations/operator/table.ts'
import type { Table } from '../../../server/operations/row.ts'
import { sandbox } from '../../../server/operations/sandbox/table.ts'
import { senderTable } from '../../../server/operations/sender/table.ts'
import { signer } from '../../../server/operations/signer/table.ts'

const firstParts = (table: Table<never>): string[] => [
  ...new Set(Object.values(table).map(({ path }) => firstPartOf(path))),
]

describe('the tables', () => {
  const own = parseProfile({})
  const elsewhere = parseProfile({ basePath: '/Partner/v2' })
  for (const [name, known, table] of [
    ['of senders', below.sender(own), senderTable(own)],
    ['of senders below a base path', below.sender(elsewhere), senderTable(elsewhere)],
    ['of signers', below.signer, signer],
    ['of operators', below.operator, operator],
    ['of the sandbox', below.sandbox, sandbox],
  ] as const)
    it(`${name} have their paths where the service looks for them`, () => {
      expect([...known].sort()).to.deep.equal(firstParts(table).sort())
    })
})

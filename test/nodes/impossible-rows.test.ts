/**
 * Rows with numbers that no Node-RED gives, in a database that several Node-REDs share: a person sees how many there are, and decides;
 * the other rows are used.
 */
import { expect } from 'chai'
import { countImpossibleRows, removeImpossibleRows } from '../../nodes/shared/database/impossible-rows.ts'
import type { OrphanList } from '../../nodes/shared/orphans/act.ts'
import { eventually } from '../support/eventually.ts'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { flow, held, host, wait } from '../support/node-red/flow.ts'
import type { NodeRed } from '../support/node-red/node-red.ts'
import { aService, type TestService } from '../support/service/a-service.ts'
import { query } from '../support/store/postgres/a-postgres.ts'
import { sharedProcesses } from '../support/store/postgres/shared-processes.ts'

const LARGEST = '9223372036854775807'
/** The smallest number that JavaScript does not keep. */
const NOT_KEPT = '9007199254740992'
const LAST_KEPT = '9007199254740991'

const accepted = (
  id: string,
  sealed = "'x'",
) => `INSERT INTO countersign_accepted (queue, id, digest, at, size, sealed, owner)
  VALUES ('intake-in', ${id}, gen_random_uuid()::text, 0, 1, ${sealed}, 'gone');`
const heldRow = (id: string) => `INSERT INTO countersign_held (queue, id, digest, at, size, summary, message)
  VALUES ('held-held', ${id}, gen_random_uuid()::text, 0, 1, '', 'x');`
const claim = (id: string) =>
  `INSERT INTO countersign_claim (queue, id, folder, claim) VALUES ('files-in', ${id}, '/in', 'x');`
const mark = (id: string, queue = 'intake-in') => `INSERT INTO countersign_under_way (queue, id, deaths, stage, owner)
  VALUES ('${queue}', '${id}', 1, 1, 'gone');`

describe('rows with impossible numbers', function () {
  this.timeout(90_000)
  const shared = sharedProcesses(100)

  const cases: [what: string, sql: string, count: number][] = [
    ['a number below zero', accepted('-5') + heldRow('-5') + claim('-5') + mark('-5'), 4],
    ['zero', accepted('0') + heldRow('0') + claim('0') + mark('0'), 4],
    ['2^53', accepted(NOT_KEPT) + heldRow(NOT_KEPT) + claim(NOT_KEPT) + mark(NOT_KEPT), 4],
    ['2^60', accepted('1::bigint << 60') + heldRow('1::bigint << 60') + mark('1152921504606846976'), 3],
    ['the largest number', accepted(LARGEST) + heldRow(LARGEST) + claim(LARGEST) + mark(LARGEST), 4],
    ['a number larger than that', mark(`${LARGEST}0`) + mark('9'.repeat(400)), 2],
    ['text', mark('abc') + mark('') + mark('1 ') + mark('01') + mark('0x10') + mark('1e3') + mark('1.5'), 7],
    ['NaN as text', mark('NaN') + mark('Infinity') + mark('null'), 3],
    ['a message that was taken', accepted('-5', 'NULL'), 1],
    [
      'NaN as a number',
      `ALTER TABLE countersign_held ALTER id TYPE double precision; ${heldRow("'NaN'")} ${heldRow("'Infinity'")}`,
      2,
    ],
    [
      'NULL',
      `ALTER TABLE countersign_held DROP CONSTRAINT countersign_held_pkey; ALTER TABLE countersign_held ALTER id DROP NOT NULL; ${heldRow('NULL')}`,
      1,
    ],
    ['possible ones alone', accepted('1') + accepted(LAST_KEPT) + heldRow('2') + claim('3') + mark('4'), 0],
    ['the name of an order', mark('ORDER-5', 'handled-create') + mark('-5', 'handled-create'), 0],
  ]
  for (const [what, sql, count] of cases)
    it(`counts ${what}, and removes nothing else`, async () => {
      const one = await shared.aProcess('one')
      const possible = accepted('100') + heldRow('100') + claim('100') + mark('100') + mark('ORDER', 'handled-create')
      const rows = async () =>
        (
          await query(
            shared.url,
            `SELECT id::text FROM countersign_accepted UNION ALL SELECT id::text FROM countersign_held
             UNION ALL SELECT id::text FROM countersign_claim UNION ALL SELECT id FROM countersign_under_way`,
          )
        ).length
      await query(shared.url, sql + possible)
      const before = await rows()
      expect(await countImpossibleRows(one)).to.equal(count)
      await removeImpossibleRows(one)
      expect(await countImpossibleRows(one)).to.equal(0)
      expect(await rows()).to.equal(before - count)
    })

  describe('in a Node-RED', () => {
    let red: NodeRed
    let service: TestService
    before(async () => {
      service = await aService()
      red = await aNodeRed()
    })
    after(async () => {
      await red?.stop()
      await service?.stop()
    })

    it('are in its log and in the sidebar, which discards them alone', async () => {
      await shared.aProcess('one')
      await query(shared.url, heldRow('100') + accepted('-5') + heldRow(LARGEST) + mark('abc'))
      const credentials = { apiKey: service.key, journalUrl: shared.url }
      const nodes = flow(host(service.baseUrl, { credentials, journal: 'postgres' }), ...wait())
      await red.deploy(nodes)
      const url = red.adminUrl('countersign/services/service/orphans')
      const listed = async () => ((await (await fetch(url)).json()) as OrphanList).rows
      const rowsIn = async () => (await listed()).filter(({ kind }) => kind === 'row')
      // Until the process has its lease, there is no list.
      const [row] = await eventually(async () => {
        const rows = await rowsIn()
        expect(rows).to.have.length(1)
        return rows
      })
      expect(row).to.include({ kind: 'row', reason: 'number', count: 3, nodeId: null })
      expect(row?.actions).to.deep.equal(['discard'])
      // They are counted after each deploy.
      await red.deploy([...nodes, ...held()], 'nodes')
      await eventually(() =>
        expect(red.log.join('')).to.match(/no node works on it: .*\b3 rows with impossible numbers\b/),
      )
      const decide = async (action: string) =>
        (
          await fetch(url, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ id: row?.id, action }),
          })
        ).status
      expect(await decide('adopt')).to.be.at.least(400)
      expect(await rowsIn()).to.have.length(1)
      expect(await decide('discard')).to.equal(200)
      expect(await rowsIn()).to.deep.equal([])
      expect(await query(shared.url, 'SELECT count(*)::integer AS count FROM countersign_held')).to.deep.equal([
        { count: 1 },
      ])
    })
  })
})

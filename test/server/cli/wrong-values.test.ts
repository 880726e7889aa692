/** Every wrong value of the command line and what is said of it: before a key is asked for, and before a store is opened or made. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { aFolder } from '../../support/a-folder.ts'
import { called } from '../../support/commands/called.ts'

const WHO = ['--email', 'a@example.org', '--name', 'A', '--role']
const NAMES = ['--first-name', 'Helen', '--last-name', 'Marsh']
const ID = 'a whole number from 1 to 2147483647'

describe('a wrong value', function () {
  this.timeout(60_000)
  const data = join(aFolder(), 'none')

  for (const [call, message] of [
    [['organizations', 'create'], '--name is required. --help lists the options.'],
    [['organizations', 'create', '--name', 'X', '--npi', '12'], 'npi: exactly 10 digits'],
    [
      ['organizations', 'create', '--name', 'X', '--line', '1 Shore Lane', '--city', 'Duluth', '--state', 'MN'],
      'addresses[0].postalCode: required; text of 1 to 20 characters',
    ],
    [['organizations', 'create', '--name', 'X', '--javascript', 'no'], '--javascript: one of strip, refuse, allow'],
    [['organizations', 'set-npi', 'X', '12'], 'npi: exactly 10 digits'],
    [['organizations', 'set-ingestion', 'X', 'maybe'], 'set-ingestion takes NAME|ID and on or off.'],
    [['organizations', 'set-delegation', 'X', 'maybe'], 'set-delegation takes NAME|ID and on or off.'],
    [
      ['organizations', 'set-active-content', 'X'],
      'set-active-content takes --javascript, --open-action or --embedded-files.',
    ],
    [
      ['keys', 'create', '--organization', 'X', '--person', 'Y', '--expires', 'soon'],
      'expiresAt: a time to come, such as 2027-01-01',
    ],
    [['keys', 'create', '--person', 'Y'], '--organization is required. --help lists the options.'],
    [['keys', 'create', '--organization', 'X'], '--person is required. --help lists the options.'],
    [['keys', 'revoke'], 'Usage: countersign keys revoke KEY-ID. --help lists the options.'],
    [['operator-keys', 'create', '--expires', 'soon'], 'expiresAt: a time to come, such as 2027-01-01'],
    [['providers', 'create', '--npi', '12', ...NAMES, '--organization', 'X'], 'npi: exactly 10 digits'],
    [
      ['providers', 'create', '--npi', '9999900019', ...NAMES],
      '--organization is required: where does the provider sign?',
    ],
    [['providers', 'set-organizations', '1'], '--organization is required: where does the provider sign?'],
    [['document-types', 'create', '--name', 'x'.repeat(201), '--category', 'Y'], 'name: text of 1 to 200 characters'],
    [['people', 'create', ...WHO, 'owner'], 'role: one of signer, administrator, operator'],
    [['people', 'create', ...WHO, 'administrator', '--organization', '0'], `organizationId: ${ID}`],
    [
      ['people', 'create', '--email', 'nobody', '--name', 'A', '--role', 'operator'],
      'email: an e-mail address in ASCII letters, digits, and signs',
    ],
    [['people', 'create', ...WHO, 'operator', '--npi', '9999900019'], 'npi: only a signer has one'],
    [['people', 'create', ...WHO, 'operator', '--organization', '1'], 'organizationId: only an administrator has one'],
    [['people', 'create', ...WHO, 'signer'], 'npi: the NPI of a provider of this service'],
    [['people', 'create', ...WHO, 'administrator'], 'organizationId: the id of an organization of this service'],
    [['people', 'disable'], '--email is required. --help lists the options.'],
    [['deliveries', 'list', '--limit', 'many'], `limit: ${ID}`],
    [['deliveries', 'list', '--state', 'lost'], 'state[0]: some of waiting, delivered, failed, cancelled'],
    [['deliveries', 'list', '--since', 'soon'], 'since: a time such as 2026-03-02T09:00:00Z'],
    [['deliveries', 'redeliver', '--task', 'X'], `taskId: ${ID}`],
    [['deliveries', 'redeliver'], 'body: say which deliveries, for example by eventId or since'],
    [
      ['deliveries', 'redeliver', '--state', 'failed', '--dry-run'],
      'body: say which deliveries, for example by eventId or since',
    ],
    [['deliveries', 'show', 'X'], `id: ${ID}`],
    [['deliveries', 'show'], 'show takes the id of a delivery. deliveries list shows them.'],
    [['providers', 'create', ...NAMES, '--organization', 'X'], '--npi is required. --help lists the options.'],
    [['document-types', 'create', '--name', 'X'], '--category is required. --help lists the options.'],
    [['templates', 'create', '--summary', 'X'], '--clinical-date-label is required. --help lists the options.'],
    [['backup'], 'Usage: countersign backup FILE. --help lists the options.'],
    [['restore'], 'Usage: countersign restore FILE. --help lists the options.'],
    [['audit', 'verify', '--head', '12'], '--head: NUMBER:HASH, as countersign audit head prints it'],
    [['audit', 'export', '--after', 'x'], '--after: a whole number'],
    [
      ['templates', 'create', '--summary', 'S', '--clinical-date-label', 'L', '--organization', 'X', '--fields', 'no'],
      '--fields: this file cannot be read (ENOENT).',
    ],
    [['serve', '--sandbox', '--store-connections', '0'], '--store-connections: a whole number from 1 to 1000'],
    [['serve', '--sandbox', '--body-memory', 'x'], '--body-memory: a whole number from 1 to 65536'],
    [['serve', '--sandbox', '--data', 'mysql://h/x'], '--data: a folder, :memory: or a postgres:// URL'],
    [['serve', '--sandbox', '--data', 'postgres:foo'], '--data: a folder, :memory: or a postgres:// URL'],
    [['keys', 'list', '--data', 'mysql://h/x'], '--data: a folder, :memory: or a postgres:// URL'],
    [
      ['backup', 'file', '--data', ':memory:'],
      '--data: a folder or a postgres:// URL; :memory: ends with its process.',
    ],
    [['restore', 'file', '--data', 'file:///x'], '--data: a folder or a postgres:// URL'],
  ] as const)
    it(`${call.join(' ').slice(0, 90)} → ${message}`, async () => {
      const args = call.includes('--data' as never) ? call : [...call, '--data', data]
      expect(await called(args)).to.deep.equal({ code: 2, stdout: '', stderr: `countersign: ${message}\n` })
      expect(existsSync(data)).to.equal(false)
      for (const folder of ['mysql:', 'postgres:foo', 'file:']) expect(existsSync(folder)).to.equal(false)
    })

  it('is not that there is no store, which no command makes that needs what is in one', async () => {
    const empty = aFolder()
    for (const call of [
      ['keys', 'create', '--organization', 'X', '--person', 'Y'],
      ['organizations', 'list'],
    ])
      expect(await called([...call, '--data', empty])).to.deep.equal({
        code: 2,
        stdout: '',
        stderr: `countersign: --data: there is no store in ${empty}.\n`,
      })
    expect(existsSync(join(empty, 'countersign.sqlite'))).to.equal(false)
  })
})

/** `countersign organizations`: senders with keys, and practices that signers belong to. */
import { defaultActiveContentPolicy } from '../../lib/pdf/prepare/active-content.ts'
import type { ChangeBody, Organization } from '../operations/operator/messages/organizations.ts'
import type { OperatorContext } from '../operations/operator/operator-context.ts'
import {
  createOrganization,
  listOrganizations,
  readOrganization,
  updateOrganization,
} from '../operations/operator/organizations.ts'
import { check, perform } from '../operations/perform.ts'
import { CommandError } from './command/command-error.ts'
import { organizationOf } from './command/organization-of.ts'
import { onStore, storeCommand } from './command/store-command.ts'
import { type GivenTreatments, treatmentsOf, withTreatments } from './command/treatments.ts'

export const command = storeCommand('organizations')

interface GivenAddress {
  line?: string
  city?: string
  state?: string
  postalCode?: string
}

type New = { name: string; npi?: string; ingestion?: boolean; timeZone?: string } & GivenAddress & GivenTreatments

const create = command
  .command('create')
  .description('add a sender, or a practice that receives tasks')
  .needs('--name <TEXT>', 'what it is called; no two have the same')
  .option('--npi <NUMBER>', 'matched first when a task is routed; no two have the same')
  .option('--line <TEXT>', 'street of the address, which is matched second')
  .option('--city <TEXT>', 'of the address')
  .option('--state <TEXT>', 'of the address')
  .option('--postal-code <TEXT>', 'of the address')
  .option('--time-zone <NAME>', 'such as America/Chicago, in which its dates are judged')
  .option('--ingestion', 'its documents are taken in; without it, its tasks fail')
withTreatments(create).action(
  onStore<New>(
    async ({ context, given }) => {
      const { id } = await perform(createOrganization, context, { body: bodyOf(given) })
      return inOneLine(await read(context, id))
    },
    { mayMake: () => true, check: ({ given }) => check(createOrganization, { body: bodyOf(given) }) },
  ),
)

command
  .command('list')
  .description('list all of them, with their ids')
  .action(onStore(async ({ context }) => (await perform(listOrganizations, context)).map(inOneLine)))

command
  .command('set-npi')
  .description('say by which NPI it is matched, or by none')
  .argument('<NAME|ID>')
  .argument('<NUMBER|none>')
  .action(
    onStore(
      async ({ context, operands: [nameOrId = '', npi = ''] }) => {
        const { id, name } = await changed(context, nameOrId, { npi: npiOf(npi) })
        return { id, name, npi: npiOf(npi) }
      },
      {
        check: ({ operands: [, npi = ''] }) =>
          check(updateOrganization, { params: { id: '1' }, body: { npi: npiOf(npi) } }),
      },
    ),
  )

command
  .command('set-time-zone')
  .description('say in which time zone its dates are judged; none for that of the service')
  .argument('<NAME|ID>')
  .argument('<ZONE|none>')
  .action(
    onStore(
      async ({ context, operands: [nameOrId = '', zone = ''] }) => {
        const { id, name, timeZone } = await changed(context, nameOrId, { timeZone: zoneOf(zone) })
        return { id, name, timeZone }
      },
      {
        check: ({ operands: [, zone = ''] }) =>
          check(updateOrganization, { params: { id: '1' }, body: { timeZone: zoneOf(zone) } }),
      },
    ),
  )

/** A verb that turns something on or off. `shown` is what it answers of the organization. */
function onOrOff(
  verb: string,
  description: string,
  change: (isOn: boolean) => ChangeBody,
  shown: (organization: Organization) => object,
): void {
  const checkOperand = ({ operands: [, asked = ''] }: { operands: readonly string[] }) => {
    if (asked !== 'on' && asked !== 'off') throw new CommandError(`${verb} takes NAME|ID and on or off.`)
  }
  command
    .command(verb)
    .description(description)
    .argument('<NAME|ID>')
    .argument('<on|off>')
    .action(
      onStore(
        async ({ context, operands: [nameOrId = '', asked = ''] }) => {
          const organization = await changed(context, nameOrId, change(asked === 'on'))
          return { id: organization.id, name: organization.name, ...shown(organization) }
        },
        { check: checkOperand },
      ),
    )
}

onOrOff(
  'set-ingestion',
  'say whether its documents are taken in',
  (ingestionEnabled) => ({ ingestionEnabled }),
  ({ ingestionEnabled }) => ({ ingestionEnabled }),
)

onOrOff(
  'set-delegation',
  'say whether its signers may let a colleague sign for them; off ends what they agreed on',
  (allowsDelegation) => ({ allowsDelegation }),
  ({ allowsDelegation }) => ({ allowsDelegation }),
)

command
  .command('set-signature-rule')
  .description('say what becomes of documents without a signature field; a template may say otherwise')
  .argument('<NAME|ID>')
  .argument('<required|atEnd|notNeeded>')
  .action(
    onStore(
      async ({ context, operands: [nameOrId = '', asked = ''] }) => {
        const { id, name, signatureRule } = await changed(context, nameOrId, ruleOf(asked))
        return { id, name, signatureRule }
      },
      {
        check: ({ operands: [, asked = ''] }) =>
          check(updateOrganization, { params: { id: '1' }, body: ruleOf(asked) }),
      },
    ),
  )

command
  .command('set-documents')
  .description('say what becomes of documents that viewers might show differently')
  .argument('<NAME|ID>')
  .argument('<auto|draw|refuse>')
  .addHelpText(
    'after',
    `
auto (the default) converts the pages of such a document to pictures, draw those
of every document, and refuse turns such a document away.`,
  )
  .action(
    onStore(
      async ({ context, operands: [nameOrId = '', asked = ''] }) => {
        const { id, name, documents } = await changed(context, nameOrId, documentsOf(asked))
        return { id, name, documents }
      },
      {
        check: ({ operands: [, asked = ''] }) =>
          check(updateOrganization, { params: { id: '1' }, body: documentsOf(asked) }),
      },
    ),
  )

onOrOff(
  'set-cover-tokens',
  'say whether ink covers the text of tokens; a template may say otherwise',
  (coversTokens) => ({ coversTokens }),
  ({ coversTokens }) => ({ coversTokens }),
)

const setActive = (isActive: boolean) =>
  onStore(async ({ context, operands: [nameOrId = ''] }) => {
    const { id, name } = await changed(context, nameOrId, { isActive })
    return { id, name, isActive }
  })

command
  .command('activate')
  .description('let its keys in again, and route tasks to it')
  .argument('<NAME|ID>')
  .action(setActive(true))

command
  .command('deactivate')
  .description('from now on refuse its keys, and route no task to it; earlier tasks continue')
  .argument('<NAME|ID>')
  .action(setActive(false))

withTreatments(command.command('set-active-content'))
  .description('set the treatment of active content in its PDFs; omitted options keep their value')
  .argument('<NAME|ID>')
  .action(
    onStore<GivenTreatments>(
      async ({ context, given, operands: [nameOrId = ''] }) => {
        const { id, name, activeContent } = await changed(context, nameOrId, { activeContent: treatmentsOf(given) })
        return { id, name, ...activeContent }
      },
      {
        check({ given }) {
          if (Object.keys(treatmentsOf(given)).length === 0)
            throw new CommandError('set-active-content takes --javascript, --open-action or --embedded-files.')
        },
      },
    ),
  )

function bodyOf(given: New): object {
  const { name, npi, timeZone, ingestion: ingestionEnabled = false } = given
  const activeContent = { ...defaultActiveContentPolicy, ...treatmentsOf(given) }
  return { name, npi, addresses: addressesOf(given), ingestionEnabled, activeContent, timeZone }
}

/** Whether there is such a rule, the operation says. */
const ruleOf = (asked: string) => ({ signatureRule: asked as ChangeBody['signatureRule'] })

const zoneOf = (given: string) => (given === 'none' ? null : given)
const documentsOf = (asked: string) => ({ documents: asked as ChangeBody['documents'] })

const npiOf = (given: string) => (given === 'none' ? null : given)

const read = async (context: OperatorContext, id: number): Promise<Organization> =>
  (await perform(readOrganization, context, { params: { id: String(id) } })).organization

/** The organization after the change. */
async function changed(context: OperatorContext, nameOrId: string, body: ChangeBody): Promise<Organization> {
  const { id } = await organizationOf(context, nameOrId)
  await perform(updateOrganization, context, { params: { id: String(id) }, body })
  return read(context, id)
}

/** Each treatment under its own name, so that people can tell which is which. */
const inOneLine = ({ activeContent, ...organization }: Organization) => ({ ...organization, ...activeContent })

/** One address, or none when no part of it is given. Whether it is whole, the operation says. */
function addressesOf({ line, city, state, postalCode }: GivenAddress): object[] {
  const address = { line, city, state, postalCode }
  return Object.values(address).every((value) => value === undefined) ? [] : [address]
}

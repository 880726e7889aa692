/** A seed: the organizations, signers, people, templates, and orders that a sandbox has at its start, as one JSON file. */
import * as z from 'zod'
import { Address, id, Npi, optional, rule, text, upTo } from '../../../../lib/contract/primitives.ts'
import { MAX_REASON } from '../../../../lib/contract/task/status-reason.ts'
import { told, whole } from '../../../../lib/profile/values.ts'
import { TemplateBody } from '../../operator/messages/templates.ts'
import { SampleOrder } from '../orders/orders.ts'

const MOST = 200
const MOST_ORDERS = 20
const DAY_SECONDS = 24 * 60 * 60

const list = <S extends z.ZodType>(of: S) => z.array(of, rule('a list')).max(MOST, `at most ${MOST}`).default([])
const yesOrNo = z.boolean(rule('true or false'))

const SeedTemplate = TemplateBody.omit({ organizationId: true })
  .extend({ id: optional(id()), isCustomTemplate: optional(yesOrNo) })
  .strict()

const SeedOrganization = z.strictObject(
  {
    name: told(text(200), 'Name', 'The name by which the rest of the file refers to it.', 'Willow Creek Home Health'),
    npi: optional(Npi),
    addresses: list(Address),
    sends: told(
      optional(yesOrNo),
      'Sends',
      'Whether it sends documents and gets a key. Optional; false by default.',
      true,
    ),
    keyOwner: told(optional(text(200)), 'Key owner', 'The person whose key it is.', 'Ann Vale'),
    allowsDelegation: optional(yesOrNo),
    templates: list(SeedTemplate),
  },
  rule('an object with name'),
)

const SeedSigner = z.strictObject(
  {
    npi: Npi,
    firstName: text(100),
    lastName: text(100),
    signingName: text(200),
    practices: told(
      z.array(text(200), rule('a list of names')).min(1, 'at least one practice').max(50, 'at most 50'),
      'Practices',
      'Names of organizations of this file, the primary one first.',
      ['Lakeside Family Practice'],
    ),
    isActive: optional(yesOrNo),
    script: told(
      optional(
        z.strictObject({
          act: z.enum(['sign', 'reject'], rule('sign or reject')),
          afterSeconds: whole(0, 100 * DAY_SECONDS),
          reason: upTo(MAX_REASON).optional(),
        }),
      ),
      'Script',
      'What the signer does without anyone signing in. Optional; the signer waits by default.',
      { act: 'sign', afterSeconds: 10 },
    ),
  },
  rule('an object with npi, firstName, lastName, signingName and practices'),
)

const SeedPerson = z.strictObject(
  {
    email: z
      .string(rule('an e-mail address'))
      .max(254)
      .regex(/^[^\s@A-Z]+@[^\s@A-Z]+$/, 'an e-mail address in small letters'),
    name: text(200),
    role: z.enum(['operator', 'administrator'], rule('operator or administrator')),
    organization: told(
      optional(text(200)),
      'Organization',
      'The organization that an administrator manages.',
      'Willow Creek Home Health',
    ),
  },
  rule('an object with email, name and role'),
)

const SeedOrder = SampleOrder.extend({
  sender: told(text(200), 'Sender', 'The organization that sends it.', 'Willow Creek Home Health'),
  times: optional(whole(1, MOST_ORDERS)),
})

const SeedShape = z.strictObject(
  {
    $schema: optional(z.string(rule('text'))),
    documentTypes: list(z.strictObject({ id: optional(id()), name: text(200), category: text(100) })),
    organizations: list(SeedOrganization),
    signers: told(list(SeedSigner), 'Signers', 'Each active one gets an account without a password.', []),
    people: told(list(SeedPerson), 'People', 'Operators and administrators, who sign in without a password.', []),
    orders: told(
      list(SeedOrder),
      'Orders',
      'Sample orders that are sent over HTTP at the start and after each reset.',
      [],
    ),
  },
  rule('an object with organizations, signers, people, templates and orders'),
)

export const Seed = SeedShape.superRefine((seed, context) => {
  for (const [path, message] of contradictions(seed)) context.addIssue({ code: 'custom', path, message })
})
export type Seed = z.output<typeof SeedShape>
export type SeedTemplate = z.output<typeof SeedTemplate>
/** A seed as it is written. */
export type SeedInput = z.input<typeof SeedShape>

type Problem = readonly [path: (string | number)[], message: string]

function contradictions({
  organizations,
  signers,
  people,
  orders,
  documentTypes,
}: z.output<typeof SeedShape>): Problem[] {
  const names = organizations.map(({ name }) => name)
  const senders = organizations.filter(({ sends }) => sends).map(({ name }) => name)
  const unknown = (path: (string | number)[], name: string, among: readonly string[], what: string): Problem[] =>
    among.includes(name) ? [] : [[path, what]]
  return [
    ...twice(names).map((n): Problem => [['organizations', n, 'name'], 'each organization once']),
    ...twice(organizations.map(({ npi }) => npi ?? null)).map(
      (n): Problem => [['organizations', n, 'npi'], 'each NPI once'],
    ),
    ...twice(signers.map(({ npi }) => npi)).map((n): Problem => [['signers', n, 'npi'], 'each signer once']),
    ...twice(people.map(({ email }) => email)).map((n): Problem => [['people', n, 'email'], 'each address once']),
    ...twice(documentTypes.map(({ name, category }) => `${category}\n${name}`)).map(
      (n): Problem => [['documentTypes', n, 'name'], 'each document type once'],
    ),
    ...twice(documentTypes.map((type) => type.id ?? null)).map(
      (n): Problem => [['documentTypes', n, 'id'], 'each id once'],
    ),
    ...signers.flatMap(({ practices }, n) =>
      practices.flatMap((name, m) =>
        unknown(['signers', n, 'practices', m], name, names, 'an organization of this file'),
      ),
    ),
    ...people.flatMap(({ role, organization }, n): Problem[] =>
      role === 'operator'
        ? organization
          ? [[['people', n, 'organization'], 'only for administrators']]
          : []
        : unknown(['people', n, 'organization'], organization ?? '', names, 'an organization of this file'),
    ),
    ...orders.flatMap(({ sender }, n) =>
      unknown(['orders', n, 'sender'], sender, senders, 'an organization of this file that sends'),
    ),
  ]
}

/** Returns the places of values that were there before. */
const twice = (values: readonly (string | number | null)[]): number[] =>
  values.flatMap((value, n) => (value !== null && values.indexOf(value) < n ? [n] : []))

/** A seed as a program gives it. Its parts are checked when the service starts; the guide to the sandbox describes them. */
export interface SeedFile {
  /** The address of the JSON Schema of this file, for editors. */
  $schema?: string | null | undefined
  /** The types of documents, each with its name and category. */
  documentTypes?: readonly object[] | undefined
  /** The organizations, each with its name, and those that send documents with their templates. */
  organizations?: readonly object[] | undefined
  /** The signers, each with NPI, names, and practices. */
  signers?: readonly object[] | undefined
  /** The operators and administrators, each with an e-mail address, a name, and a role. */
  people?: readonly object[] | undefined
  /** The sample orders that are sent at the start and after each reset, each with its sender. */
  orders?: readonly object[] | undefined
}

/** The setting `seed`: the demo, or a seed. */
export const SeedSetting = z
  .custom<'demo' | SeedFile>((given) => given === 'demo' || (typeof given === 'object' && given !== null), {
    error: 'demo, or what a seed file contains',
    abort: true,
  })
  .transform((given, context): 'demo' | Seed => {
    if (given === 'demo') return given
    const read = Seed.safeParse(given)
    if (read.success) return read.data
    for (const { path, message } of read.error.issues) context.addIssue({ code: 'custom', path, message })
    return z.NEVER
  })

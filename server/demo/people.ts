/** Synthetic organizations and signers of the demo. Their NPIs begin with 9999, as no real one does. */
import type { SeedInput } from '../operations/sandbox/seed/seed.ts'

/** Senders, each with a key; two, to show that neither sees the other's tasks. */
export const senders = ['Willow Creek Home Health', 'Northfield Hospice'] as const

/** The owners of the senders' keys. */
export const keyPersons: Readonly<Record<(typeof senders)[number], string>> = {
  'Willow Creek Home Health': 'Ann Vale',
  'Northfield Hospice': 'Tom Reed',
}

const practice = (name: string, npi: string, line: string, city: string, state: string, postalCode: string) => ({
  name,
  npi,
  addresses: [{ line, city, state, postalCode }],
})

export const practices = {
  lakeside: practice('Lakeside Family Practice', '9999901017', '100 Shore Lane', 'Duluth', 'MN', '55802'),
  wound: practice('Lakeside Wound Clinic', '9999901025', '12 Quarry Road', 'Duluth', 'MN', '55802'),
  harbor: practice('Harbor Internal Medicine', '9999901033', '7 Mill Lane', 'Madison', 'WI', '53703'),
} as const

const signsAfterSeconds = (afterSeconds: number) => ({ act: 'sign', afterSeconds }) as const

type Signer = NonNullable<SeedInput['signers']>[number]

const provider = (
  npi: string,
  firstName: string,
  lastName: string,
  degree: string,
  where: readonly (keyof typeof practices)[],
  script: Signer['script'],
): Signer => ({
  npi,
  firstName,
  lastName,
  signingName: `${firstName} ${lastName} ${degree}`,
  practices: where.map((name) => practices[name].name),
  script,
})

export const providers: Signer[] = [
  provider('9999900019', 'Helen', 'Marsh', 'MD', ['lakeside', 'wound'], signsAfterSeconds(10)),
  provider('9999900027', 'Owen', 'Tate', 'NP', ['wound'], {
    act: 'reject',
    afterSeconds: 10,
    reason: 'Not my patient',
  }),
  provider('9999900035', 'Ruth', 'Calder', 'DO', ['harbor'], null),
  provider('9999900050', 'Paul', 'Finch', 'MD', ['lakeside'], signsAfterSeconds(10)),
  { ...provider('9999900068', 'Ada', 'Rowe', 'NP', ['harbor'], null), isActive: false },
  provider('9999900018', 'Ian', 'Voss', 'MD', ['lakeside'], null),
]

/** Who may sign in to the pages of a sandbox without a password: every active signer, and these. */
export const staff: SeedInput['people'] = [
  { email: 'operator@countersign.example', name: 'Service operator', role: 'operator' },
  {
    email: 'admin@willow-creek.example',
    name: 'Willow Creek administrator',
    role: 'administrator',
    organization: 'Willow Creek Home Health',
  },
]

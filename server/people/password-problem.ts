/** What is wrong with a new password. Keeps none, and the answer never quotes it. */
import type { MatchExtended } from '@zxcvbn-ts/core'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH, MIN_PASSWORD_SCORE } from '../choices.ts'

/** Whose password it is to be: nobody's own name is a secret. */
export interface Owner {
  name: string
  email: string
}

/** So much of a password is judged: enough for any to prove itself, and little work for any. */
const JUDGED_LENGTH = 64

/** A sentence that says what to do, or null. */
export async function passwordProblem(entered: string, owner: Owner): Promise<string | null> {
  // As it will be hashed: what looks alike is alike.
  const password = entered.normalize('NFKC')
  if (lengthOf(entered) > MAX_PASSWORD_LENGTH) return `password: at most ${MAX_PASSWORD_LENGTH} characters`
  if (Math.min(lengthOf(entered), lengthOf(password)) < MIN_PASSWORD_LENGTH)
    return `password: at least ${MIN_PASSWORD_LENGTH} characters`
  if (password.trim() === '') return 'password: not of spaces alone'
  loading ??= guesser()
  const { score, sequence } = (await loading).check(password.slice(0, JUDGED_LENGTH), knownOf(owner))
  if (score >= MIN_PASSWORD_SCORE) return null
  return `password: easy to guess, because it ${reasonIn(sequence)}; choose four words that are unrelated`
}

const lengthOf = (text: string) => [...text].length

/** The words of the name and of the address, and each whole; and the name of this service. */
const knownOf = ({ name, email }: Owner): string[] =>
  [name, email, ...name.split(/\s+/), ...email.split(/[@._+-]/), 'countersign'].filter((word) => word.length > 2)

/** By what makes up most of the password. */
function reasonIn(sequence: readonly MatchExtended[]): string {
  const found = sequence
    .map(({ pattern, dictionaryName, token }) => ({ reason: REASONS[dictionaryName ?? pattern], length: token.length }))
    .filter(({ reason }) => reason !== undefined)
    .sort((a, b) => b.length - a.length)
  return found[0]?.reason ?? 'is too simple'
}

const REASONS: Readonly<Record<string, string>> = {
  repeat: 'repeats itself',
  sequence: 'counts up or down',
  spatial: 'follows the keyboard',
  date: 'is a date',
  regex: 'is a year',
  userInputs: 'is made of the name or the e-mail address',
  'passwords-common': 'is made of what many people use',
  'diceware-common': 'is one word or two',
}

/** Some ten megabytes and a fifth of a second, for those who set passwords only. */
async function guesser() {
  const [{ ZxcvbnFactory }, { adjacencyGraphs: graphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  return new ZxcvbnFactory({ dictionary, graphs })
}
let loading: ReturnType<typeof guesser> | undefined

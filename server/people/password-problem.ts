/** Is a new password good enough? Keeps no password, and never quotes one. */
import type { MatchExtended } from '@zxcvbn-ts/core'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH, MIN_PASSWORD_SCORE } from '../choices.ts'

/** The owner of the password: facts about them are easy to guess. */
export interface Owner {
  name: string
  email: string
}

/** How many characters are judged: enough to show that a password is hard to guess, and little work however long it is. */
const JUDGED_LENGTH = 64

/** Returns the error of the password, as a sentence that says what to do; null when it is good enough. */
export async function passwordProblem(entered: string, owner: Owner): Promise<string | null> {
  // In the form in which it will be hashed, where characters that look alike are the same.
  const password = entered.normalize('NFKC')
  if (lengthOf(entered) > MAX_PASSWORD_LENGTH) return `password: at most ${MAX_PASSWORD_LENGTH} characters`
  if (Math.min(lengthOf(entered), lengthOf(password)) < MIN_PASSWORD_LENGTH)
    return `password: at least ${MIN_PASSWORD_LENGTH} characters`
  if (password.trim() === '') return 'password: not of spaces alone'
  guesser ??= loadGuesser()
  const [judged, known] = [password.slice(0, JUDGED_LENGTH), knownOf(owner)]
  const { score, sequence } = (await guesser).check(judged, known)
  if (score < MIN_PASSWORD_SCORE) return easy(reasonIn(sequence))
  // Signs between known words make many guesses of few ideas, so the rest has to be hard to guess by itself.
  const rest = without(known, judged)
  const isEnough = rest.length === judged.length || (await guesser).check(rest, known).score >= MIN_PASSWORD_SCORE
  return isEnough ? null : easy(REASONS.userInputs!)
}

const easy = (reason: string) => `password: easy to guess, because it ${reason}; choose four words that are unrelated`

const lengthOf = (text: string) => [...text].length

/** The name and the address, whole and in words, and the name of this service. */
const knownOf = ({ name, email }: Owner): string[] =>
  [name, email, ...name.split(/\s+/), ...email.split(/[@._+-]/), 'countersign'].filter((word) => word.length > 2)

/** Returns the password, in small letters, without the words that are known. */
const without = (known: readonly string[], password: string): string =>
  known.reduce((rest, word) => rest.replaceAll(word.toLowerCase(), ''), password.toLowerCase())

/** Why it is easy to guess, by what makes up most of the password. */
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

/** Takes some ten megabytes and a fifth of a second, so it is loaded when someone first sets a password. */
async function loadGuesser() {
  const [{ ZxcvbnFactory }, { adjacencyGraphs: graphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  return new ZxcvbnFactory({ dictionary, graphs })
}
let guesser: ReturnType<typeof loadGuesser> | undefined

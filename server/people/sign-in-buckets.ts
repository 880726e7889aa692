/**
 * Under which names a try to sign in is counted. A device on which the owner signed in before is counted by itself, so that
 * no guess from elsewhere keeps the owner out; all others are counted by network, and slow down each other's guesses at an account.
 */
import {
  CODE_TRIES,
  CODE_TRIES_KEPT_MS,
  LONGEST_CODE_DELAY_MS,
  LONGEST_SIGN_IN_DELAY_MS,
  SIGN_IN_WINDOW_MS,
  SIGN_INS_FROM_ANYWHERE,
  SIGN_INS_PER_ACCOUNT,
  SIGN_INS_PER_ADDRESS,
} from '../choices.ts'
import { limited, slowed } from '../domain/tries.ts'
import type { Bucket } from '../store/sign-in/tries.ts'

const FEW = limited(SIGN_INS_PER_ACCOUNT, SIGN_IN_WINDOW_MS)
const SOME = limited(SIGN_INS_PER_ADDRESS, SIGN_IN_WINDOW_MS)
const EVER_SLOWER = slowed(SIGN_INS_FROM_ANYWHERE, SIGN_IN_WINDOW_MS, LONGEST_SIGN_IN_DELAY_MS)
const CODES = slowed(CODE_TRIES, CODE_TRIES_KEPT_MS, LONGEST_CODE_DELAY_MS)

/** @param device digest of its id */
export const ofKnownDevice = (email: string, device: string): Bucket[] => [
  { name: ['known device', email, device], email, pace: FEW },
]

export const ofStranger = (email: string, network: string): Bucket[] => [
  { name: ['network', network], email: null, pace: SOME },
  { name: ['network and account', email, network], email, pace: FEW },
  { name: ['account', email], email, pace: EVER_SLOWER },
]

/**
 * Limits tries to change one’s own password. By session, not by account: guesses on a page that was left open must not keep the
 * owner from changing it elsewhere.
 *
 * @param session digest of its id
 */
export const ofOwnPassword = (email: string, session: string): Bucket[] => [
  { name: ['own password', session], email, pace: FEW },
]

/**
 * Limits codes that are entered after the right password: who gets that far knows it, so all networks count together.
 *
 * @param device digest of its id, where the person signed in before; null elsewhere
 */
export const ofCode = (email: string, device: string | null): Bucket[] => [
  { name: device === null ? ['code', email] : ['code on known device', email, device], email, pace: CODES },
]

/** Limits codes that are entered to change one’s own second factor. @param session digest of its id */
export const ofOwnCode = (email: string, session: string): Bucket[] => [
  { name: ['own code', session], email, pace: CODES },
]

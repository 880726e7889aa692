/** A password's hash in the form of the service's, at a hundredth of its cost: for tests that enter passwords hundreds of times. */
import { scryptSync } from 'node:crypto'

const N = 2 ** 8

export function quickHash(password: string): string {
  const salt = Buffer.alloc(16, 5)
  const key = scryptSync(password.normalize('NFKC'), salt, 32, { N, r: 8, p: 1 })
  return ['scrypt', N, 8, 1, salt.toString('base64'), key.toString('base64')].join('$')
}

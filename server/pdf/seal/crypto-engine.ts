/** Gives pkijs the platform's cryptography, once for each thread. */
import { webcrypto } from 'node:crypto'
import * as pkijs from 'pkijs'

type Engine = ConstructorParameters<typeof pkijs.CryptoEngine>[0]

pkijs.setEngine('node', new pkijs.CryptoEngine({ name: 'node', crypto: webcrypto } as unknown as Engine))

/** `npm run test:long`: every rule of conformance, broken. */
import { breaks } from '../support/conformance/breaks.ts'
import { eachIsFound } from '../support/conformance/each-is-found.ts'

describe('A host that breaks a rule', () => eachIsFound(breaks))

/** The configuration node of a FHIR server: where it is, and what authorizes the calls. Token and key go into requests and nowhere else. */
import type { FhirBase } from '../lib/fhir/fhir-base.ts'
import { type FhirBaseNode, openBase } from './shared/fhir/fhir-base-node.ts'
import { migrated } from './shared/form/migration.ts'
import { FlowError, knownFailure } from './shared/runtime/failures.ts'
import type { Runtime } from './shared/runtime/node-red.ts'

export default function (RED: Runtime) {
  RED.nodes.registerType(
    'countersign-fhir-base',
    function (stored) {
      const config = migrated(stored)
      RED.nodes.createNode(this, stored)
      // One for all messages, so that they share its token.
      let opened: FhirBase | undefined
      const node: FhirBaseNode = Object.assign(this, {
        users: {},
        base: () => {
          opened ??= openBase(RED, this, config)
          return opened
        },
      })
      try {
        node.base()
      } catch (failure) {
        node.error(new FlowError(knownFailure(failure)))
      }
    },
    { credentials: { bearerToken: { type: 'password' }, privateKey: { type: 'password' } } },
  )
}

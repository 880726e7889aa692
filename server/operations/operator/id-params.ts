/** The parameters of a path that holds the id of one thing. */
import * as z from 'zod'
import { docs } from '../../../lib/contract/docs.ts'
import { pathId } from '../../../lib/contract/primitives.ts'

/** @param whose as it completes "The id of …" */
export const idParams = (whose: string) =>
  z.object({
    id: pathId().register(docs, {
      title: 'Id',
      description: `The id of ${whose}.`,
      examples: [1],
      type: 'integer',
    }),
  })

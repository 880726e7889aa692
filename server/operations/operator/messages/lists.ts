/** The parameters that lists have in common. */
import * as z from 'zod'
import { docs } from '../../../../lib/contract/docs.ts'
import { optional, pathId, rule } from '../../../../lib/contract/primitives.ts'
import { DEFAULT_PAGE_SIZE } from '../../../choices.ts'

/**
 * How many are listed. A page that shows more asks for more in one call, so that new ones leave no gap in its list; what is older
 * than all of them it asks for by `before`.
 */
export const limit = pathId()
  .pipe(z.number().max(500, 'at most 500'))
  .default(DEFAULT_PAGE_SIZE)
  .register(docs, {
    title: 'Limit',
    description: `How many are listed, 1 to 500; ${DEFAULT_PAGE_SIZE} when left out.`,
    examples: [100],
    type: 'integer',
  })

/** A filter by an id. */
export const only = (title: string, description: string) =>
  optional(pathId()).register(docs, { title, description, examples: [1], type: 'integer' })

const when = 'a time such as 2026-03-02T09:00:00Z'
export const Time = z.union([z.iso.datetime({ offset: true }), z.iso.date()], rule(when))

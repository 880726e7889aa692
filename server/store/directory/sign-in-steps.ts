/**
 * Sign-ins whose password was right and that lack a second factor. A step is no session: it opens nothing, and ends with the
 * session that it becomes. Only the digest of its id is kept.
 */
import { inTransaction, type StoreContext, type TransactionContext } from '../context.ts'
import { genuine, joined, whole } from '../rows/row-macs.ts'
import { addNewRow } from '../rows/write-rows.ts'
import { type Enrolment, enrol, hasSecondFactor } from '../sign-in/second-factors.ts'
import { type Code, spend } from '../sign-in/spend.ts'
import type { Missing } from '../sql/tables/sign-in-tables.ts'
import { actorOf, type Beginner, beginSession, type SessionRow, whoMayBegin } from './sessions.ts'

export type { Missing } from '../sql/tables/sign-in-tables.ts'

export interface NewStep {
  digest: string
  personId: number
  /** That was right. No step begins when it has changed since. */
  passwordHash: string | null
  /** Whether someone without a second factor has to enrol one. */
  mustEnrol: boolean
  at: Date
  expiresAt: Date
}

/** A step on its way to be a session. */
export interface Finish {
  /** The digest of the step's id. */
  digest: string
  session: SessionRow
}

/** `over`: there is no such step any more. `wrong`: the code is, and the step stays. */
export type Finished = 'done' | 'over' | 'wrong'

export function signInSteps(context: StoreContext) {
  const { db } = context
  return {
    /** Resolves with what the sign-in lacks; null when that is nothing. Resolves with `refused` when the person may not sign in. */
    begin: (step: NewStep): Promise<Missing | null | 'refused'> =>
      inTransaction(context, async (inside) => {
        const person = await whoMayBegin(inside, step.personId)
        if (!person || person.passwordHash !== step.passwordHash) return 'refused'
        const has = await hasSecondFactor(inside, step.personId)
        if (!has && !step.mustEnrol) return null
        const missing = has ? 'code' : 'enrolment'
        await keep(inside, step, missing)
        return missing
      }),

    /** Returns the person of the step, and what it lacks; undefined when it is over. */
    async find(digest: string, at: Date) {
      const row = await db
        .selectFrom('signInStep as s')
        .innerJoin('person as p', 'p.id', 's.personId')
        .select(whole('signInStep', 's'))
        .select(whole('person', 'p'))
        .where('s.digest', '=', digest)
        .where('s.expiresAt', '>', at.toISOString())
        .where('p.disabledAt', 'is', null)
        .where('p.removedAt', 'is', null)
        .executeTakeFirst()
      const [step, person] = row ? [joined(context, 'signInStep', row), joined(context, 'person', row)] : []
      if (!step || !person) return undefined
      const { id, email, organizationId } = person
      return { id, email, organizationId, missing: step.missing }
    },

    /** Uses up the code, and makes the step a session. */
    finish: (finish: Finish & { code: Code }): Promise<Finished> =>
      inTransaction(context, (inside) =>
        become(inside, 'code', finish, (person) =>
          spend(inside, { personId: person.id, code: finish.code, ...byOf(person, finish) }),
        ),
      ),

    /** Makes the offered second factor that of the person, and the step a session. */
    enrol: (finish: Finish & Pick<Enrolment, 'code' | 'recoveryCodes'>): Promise<Finished> =>
      inTransaction(context, (inside) =>
        become(inside, 'enrolment', finish, (person) => {
          const { digest: holder, code, recoveryCodes } = finish
          return enrol(inside, { personId: person.id, holder, code, recoveryCodes, ...byOf(person, finish) })
        }),
      ),
  }
}

const byOf = (person: Beginner, { session }: Finish) => ({ at: session.at, by: actorOf(person, session.ip) })

async function keep(inside: TransactionContext, step: NewStep, missing: Missing): Promise<void> {
  const { digest, personId, at, expiresAt } = step
  await inside.db.deleteFrom('signInStep').where('expiresAt', '<=', at.toISOString()).execute()
  await addNewRow(inside, 'signInStep', { digest, personId, missing, expiresAt: expiresAt.toISOString() })
}

async function become(
  inside: TransactionContext,
  missing: Missing,
  { digest, session }: Finish,
  prove: (person: Beginner) => Promise<boolean>,
): Promise<Finished> {
  const step = inside.db
    .selectFrom('signInStep')
    .selectAll()
    .where('digest', '=', digest)
    .where('missing', '=', missing)
    .where('expiresAt', '>', session.at.toISOString())
  const known = genuine(inside, 'signInStep', await step.executeTakeFirst())
  const person = known && (await whoMayBegin(inside, known.personId))
  // Looked at again once the person is locked: it may have ended in the meantime.
  if (!person || !(await step.executeTakeFirst())) return 'over'
  if (missing === 'enrolment' && (await hasSecondFactor(inside, person.id))) return 'over'
  if (!(await prove(person))) return 'wrong'
  await inside.db.deleteFrom('signInStep').where('digest', '=', digest).execute()
  await beginSession(inside, person, session, { means: 'passwordAndCode' })
  return 'done'
}

/** Patients of a sender, as it last described them. Everything but two keyed indexes is sealed. */
import { sql } from 'kysely'
import type { Patient } from '../../../lib/contract/task/patient.ts'
import { demographicKey, type KnownPatient } from '../../domain/task/matching.ts'
import type { StoreContext, TransactionContext } from '../context.ts'
import { bindings } from '../sealing/bindings.ts'
import type { Sealed } from '../sealing/cipher.ts'
import { openJson, sealJson } from '../sealing/sealed-json.ts'
import { later } from '../sql/later.ts'
import { lockPatient } from './patient-locks.ts'

export interface FoundPatient extends KnownPatient {
  /** The index of the id that the patient was first known by. */
  externalIdIndex: string
}

export function patients(context: StoreContext, organizationId: number) {
  const { db, cipher } = context
  const bindingOf = (index: string) => bindings.patient(organizationId, index)
  const indexes = (patient: Patient) => ({
    externalIdIndex: cipher.index(patient.externalId, bindingOf('externalId')),
    demographicIndex: cipher.index(demographicKey(patient), bindingOf('demographics')),
  })
  const rows = () =>
    db.selectFrom('patient').select(['id', 'externalIdIndex', 'sealed']).where('organizationId', '=', organizationId)
  const read = ({ id, externalIdIndex, sealed }: Omit<FoundPatient, 'patient'> & { sealed: Sealed }): FoundPatient => ({
    id,
    externalIdIndex,
    patient: openJson<Patient>(context, sealed, bindingOf(externalIdIndex)),
  })

  /** Matches the id that the patient was first known by, or one that a review added. */
  const withExternalId = (externalIdIndex: string) => {
    const aliased = db
      .selectFrom('patientAlias')
      .select('patientId')
      .where('organizationId', '=', organizationId)
      .where('externalIdIndex', '=', externalIdIndex)
    return rows().where((is) => is.or([is('externalIdIndex', '=', externalIdIndex), is('id', 'in', aliased)]))
  }

  return {
    /** Locks a patient for code that looks for one in a transaction, to make or change it. */
    lock: (inside: TransactionContext, patient: Patient): Promise<void> =>
      lockPatient(inside, organizationId, Object.values(indexes(patient))),

    async findByExternalId(patient: Patient): Promise<KnownPatient | null> {
      const row = await withExternalId(indexes(patient).externalIdIndex).executeTakeFirst()
      return row ? read(row) : null
    },

    /** The patient with the sender's id, and those with the same demographics. */
    async findLike(
      patient: Patient,
    ): Promise<{ sameExternalId: FoundPatient | null; sameDemographics: FoundPatient[] }> {
      const { externalIdIndex, demographicIndex } = indexes(patient)
      const alike = rows().where('demographicIndex', '=', demographicIndex)
      const found = await withExternalId(externalIdIndex)
        .select(sql.lit('id').as('by'))
        .unionAll(alike.select(sql.lit('demographics').as('by')))
        .orderBy('id')
        .execute()
      const by = (what: (typeof found)[number]['by']) => found.filter((row) => row.by === what).map(read)
      return { sameExternalId: by('id')[0] ?? null, sameDemographics: by('demographics') }
    },

    async findAll(ids: readonly number[]): Promise<KnownPatient[]> {
      return ids.length === 0 ? [] : (await rows().where('id', 'in', ids).orderBy('id').execute()).map(read)
    },

    /** The patient as it is kept, and when it was last changed; null when there is none. */
    async kept(id: number): Promise<{ patient: Patient; updatedAt: string } | null> {
      const row = await rows().select('updatedAt').where('id', '=', id).executeTakeFirst()
      return row ? { patient: read(row).patient, updatedAt: row.updatedAt } : null
    },

    async create(patient: Patient, at: Date): Promise<number> {
      const index = indexes(patient)
      const { id } = await db
        .insertInto('patient')
        .values({
          organizationId,
          ...index,
          sealed: sealJson(context, patient, bindingOf(index.externalIdIndex)),
          createdAt: at.toISOString(),
          updatedAt: at.toISOString(),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },

    /** Makes the sender's id of `patient` mean this patient too. The caller has established that it meant no one. */
    async addAlias(id: number, patient: Patient): Promise<void> {
      const { externalIdIndex } = indexes(patient)
      await db.insertInto('patientAlias').values({ organizationId, externalIdIndex, patientId: id }).execute()
    },

    /** Removes the sender's id of `patient` that `addAlias` added. */
    async removeAlias(id: number, patient: Patient): Promise<void> {
      const { externalIdIndex } = indexes(patient)
      await db
        .deleteFrom('patientAlias')
        .where('organizationId', '=', organizationId)
        .where('externalIdIndex', '=', externalIdIndex)
        .where('patientId', '=', id)
        .execute()
    },

    /** Removes a patient that no task has. */
    async remove(id: number): Promise<void> {
      await db.deleteFrom('patient').where('id', '=', id).where('organizationId', '=', organizationId).execute()
    },

    /**
     * Keeps the newest demographics of a patient under the id that the patient was first known by.
     * @param found patients that were read in this transaction
     */
    async update(id: number, patient: Patient, at: Date, found: readonly FoundPatient[] = []): Promise<void> {
      const { externalIdIndex } =
        found.find((one) => one.id === id) ?? (await rows().where('id', '=', id).executeTakeFirstOrThrow())
      const update = db
        .updateTable('patient')
        .set({
          demographicIndex: indexes(patient).demographicIndex,
          sealed: sealJson(context, patient, bindingOf(externalIdIndex)),
          updatedAt: at.toISOString(),
        })
        .where('id', '=', id)
        .where('organizationId', '=', organizationId)
      await later(db, update)
    },
  }
}

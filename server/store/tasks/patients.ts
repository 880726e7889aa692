/** Patients of a sender, as it last described them. Everything but two keyed indexes is sealed. */
import type { Patient } from '../../../lib/contract/task/patient.ts'
import { demographicKey, type KnownPatient } from '../../domain/task/matching.ts'
import type { StoreContext, TransactionContext } from '../context.ts'
import { bindings } from '../sealing/bindings.ts'
import { openJson, sealJson } from '../sealing/sealed-json.ts'

export function patients(context: StoreContext, organizationId: number) {
  const { db, cipher } = context
  const bindingOf = (index: string) => bindings.patient(organizationId, index)
  const indexes = (patient: Patient) => ({
    externalIdIndex: cipher.index(patient.externalId, bindingOf('externalId')),
    demographicIndex: cipher.index(demographicKey(patient), bindingOf('demographics')),
  })
  const rows = () =>
    db.selectFrom('patient').select(['id', 'externalIdIndex', 'sealed']).where('organizationId', '=', organizationId)
  const read = (row: { id: number; externalIdIndex: string; sealed: Uint8Array }): KnownPatient => ({
    id: row.id,
    patient: openJson<Patient>(context, row.sealed, bindingOf(row.externalIdIndex)),
  })

  return {
    /** By the id that the patient was first known by, or by one that a review added. */
    async findByExternalId(patient: Patient): Promise<KnownPatient | null> {
      const { externalIdIndex } = indexes(patient)
      const aliased = db
        .selectFrom('patientAlias')
        .select('patientId')
        .where('organizationId', '=', organizationId)
        .where('externalIdIndex', '=', externalIdIndex)
      const row = await rows()
        .where((is) => is.or([is('externalIdIndex', '=', externalIdIndex), is('id', 'in', aliased)]))
        .executeTakeFirst()
      return row ? read(row) : null
    },

    async findByDemographics(patient: Patient): Promise<KnownPatient[]> {
      const { demographicIndex } = indexes(patient)
      return (await rows().where('demographicIndex', '=', demographicIndex).orderBy('id').execute()).map(read)
    },

    async findAll(ids: readonly number[]): Promise<KnownPatient[]> {
      return ids.length === 0 ? [] : (await rows().where('id', 'in', ids).orderBy('id').execute()).map(read)
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

    /** From now on the sender's id of `patient` means this patient too. The caller has established that it meant nobody. */
    async addAlias(id: number, patient: Patient): Promise<void> {
      const { externalIdIndex } = indexes(patient)
      await db.insertInto('patientAlias').values({ organizationId, externalIdIndex, patientId: id }).execute()
    },

    /** Keeps the newest demographics of a patient under the id that the patient was first known by. */
    async update(id: number, patient: Patient, at: Date): Promise<void> {
      const known = await rows().where('id', '=', id).executeTakeFirstOrThrow()
      await db
        .updateTable('patient')
        .set({
          demographicIndex: indexes(patient).demographicIndex,
          sealed: sealJson(context, patient, bindingOf(known.externalIdIndex)),
          updatedAt: at.toISOString(),
        })
        .where('id', '=', id)
        .where('organizationId', '=', organizationId)
        .execute()
    },
  }
}

/** One at a time looks for and makes patients of an organization; two at once would make the same one twice. */
export async function lockPatients({ db, locksRows }: TransactionContext, organizationId: number): Promise<void> {
  if (!locksRows) return
  await db.selectFrom('organization').select('id').where('id', '=', organizationId).forNoKeyUpdate().execute()
}

/** Seals URLs and descriptions of subscriptions and the texts of templates, which older stores hold readable. */
import { type Kysely, sql } from 'kysely'
import { bindings } from '../../sealing/bindings.ts'
import type { Cipher } from '../../sealing/cipher.ts'
import type { Flavour } from '../flavour.ts'

interface Subscription {
  id: number
  organization_id: number
  url: string
  description: string | null
}

interface Template {
  id: number
  organization_id: number
  summary: string
  clinical_date_label: string
  fields: string
}

export async function sealedTexts(db: Kysely<never>, { blob }: Flavour, cipher: Cipher): Promise<void> {
  const run = async (text: string) => {
    await sql.raw(text).execute(db)
  }
  const isNew = !(await opens(db, cipher))
  await run(`ALTER TABLE subscription ADD COLUMN sealed_url ${blob} NOT NULL DEFAULT ''`)
  await run(`ALTER TABLE subscription ADD COLUMN sealed_description ${blob}`)
  await run(`ALTER TABLE template ADD COLUMN sealed ${blob} NOT NULL DEFAULT ''`)

  const subscriptions = await sql<Subscription>`SELECT id, organization_id, url, description FROM subscription`.execute(
    db,
  )
  for (const { id, organization_id, url, description } of subscriptions.rows) {
    const sealedUrl = cipher.seal(url, bindings.subscriptionUrl(organization_id, id))
    const sealedDescription =
      description === null ? null : cipher.seal(description, bindings.subscriptionDescription(organization_id, id))
    // Emptied too: PostgreSQL leaves what a dropped column held in the rows.
    await sql`UPDATE subscription
      SET sealed_url = ${sealedUrl}, sealed_description = ${sealedDescription}, url = '', description = NULL
      WHERE id = ${id}`.execute(db)
  }
  const templates =
    await sql<Template>`SELECT id, organization_id, summary, clinical_date_label, fields FROM template`.execute(db)
  for (const { id, organization_id, summary, clinical_date_label: clinicalDateLabel, fields } of templates.rows) {
    const texts = JSON.stringify({ summary, clinicalDateLabel, fields: JSON.parse(fields) })
    await sql`UPDATE template
      SET sealed = ${cipher.seal(texts, bindings.template(organization_id, id))},
        summary = '', clinical_date_label = '', fields = ''
      WHERE id = ${id}`.execute(db)
  }

  for (const column of ['url', 'description']) await run(`ALTER TABLE subscription DROP COLUMN ${column}`)
  for (const column of ['summary', 'clinical_date_label', 'fields'])
    await run(`ALTER TABLE template DROP COLUMN ${column}`)
  await run('CREATE TABLE chore (name text PRIMARY KEY)')
  if (!isNew) await run("INSERT INTO chore (name) VALUES ('scrub')")
}

/** Throws under a wrong master key, so that nothing is sealed that no one could open again. False for a store that is new. */
async function opens(db: Kysely<never>, cipher: Cipher): Promise<boolean> {
  const name = 'index key'
  const { rows } = await sql<{ sealed: Uint8Array }>`SELECT sealed FROM keepsake WHERE name = ${name}`.execute(db)
  for (const { sealed } of rows) cipher.open(sealed, bindings.keepsake(name))
  return rows.length > 0
}

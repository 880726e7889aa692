/** What a store knows of itself: its kind, and the version that wrote it. SQLite and PostgreSQL pass the same. */
import { expect } from 'chai'
import { bindings } from '../../../../server/store/sealing/bindings.ts'
import { createCipher } from '../../../../server/store/sealing/cipher.ts'
import { openStore, type Store } from '../../../../server/store/store.ts'
import { version } from '../../../../server/version.ts'
import { type Place, storesIn } from '../stores-in.ts'

type Kind = 'sandbox' | 'production'

const REFUSED: Readonly<Record<Kind, string>> = {
  sandbox:
    '--data holds a production store, whose tasks test keys could complete: leave out --sandbox, or give --data another place for the sandbox.',
  production: '--data holds the store of a sandbox: start with --sandbox, or give --data another place for production.',
}

export function knowsWhatItIs(newPlace: () => Promise<Place>): void {
  const { open, place, masterKey } = storesIn(newPlace)

  const opened = async <T>(kind: Kind | undefined, use: (store: Store) => Promise<T> | T): Promise<T> => {
    const store = await openStore({ data: place().data, kind }, masterKey())
    try {
      return await use(store)
    } finally {
      await store.close()
    }
  }
  const kindAs = (kind?: Kind) => opened(kind, (store): string => store.kind).catch((failure: Error) => failure.message)

  for (const [made, other] of [
    ['sandbox', 'production'],
    ['production', 'sandbox'],
  ] as const)
    it(`is for ${made} from its making, and refuses to be opened for ${other}`, async () => {
      expect(await kindAs(made)).to.equal(made)
      expect(await kindAs(other)).to.equal(REFUSED[other])
      expect([await kindAs(), await kindAs(made)]).to.deep.equal([made, made])
    })

  it('is for production when nothing else is said', async () => {
    expect(await kindAs()).to.equal('production')
    expect(await kindAs('sandbox')).to.equal(REFUSED.sandbox)
  })

  it('is of one kind when two processes make it at the same moment for different ones', async () => {
    const kinds = await Promise.all([kindAs('sandbox'), kindAs('production')])
    const kind = await kindAs()
    const refused = kind === 'sandbox' ? REFUSED.production : REFUSED.sandbox
    expect(kinds.sort()).to.deep.equal([kind, refused].sort())
  })

  it('does not become another one by what somebody without the master key writes into it', async () => {
    await kindAs('production')
    const forged = createCipher(Buffer.alloc(32)).seal('"sandbox"', bindings.keepsake('store kind'))
    const hex = place().data.startsWith('postgres') ? `'\\x${forged.toString('hex')}'` : `x'${forged.toString('hex')}'`
    await place().query(`UPDATE keepsake SET sealed = ${hex} WHERE name = 'store kind'`)
    expect(await kindAs('sandbox')).to.match(/another master key/)
  })

  it('names the version that wrote it to an older one', async () => {
    await open()
    const sealed = createCipher(masterKey()).seal('"7.3.1"', bindings.keepsake('written by'))
    const hex = place().data.startsWith('postgres') ? `'\\x${sealed.toString('hex')}'` : `x'${sealed.toString('hex')}'`
    await place().query(`UPDATE keepsake SET sealed = ${hex} WHERE name = 'written by'`)
    expect(await kindAs(), 'the same tables').to.equal('production')
    await place().query(`INSERT INTO kysely_migration (name, timestamp) VALUES ('9999-later', '')`)
    expect(await kindAs()).to.equal(
      `What is stored was written by version 7.3.1 of Countersign, and this one (${version}) does not know its tables: use that one, or a later one.`,
    )
    await place().query(`DELETE FROM keepsake WHERE name = 'written by'`)
    expect(await kindAs()).to.equal(
      `What is stored was written by a later build of Countersign, and this one (${version}) does not know its tables: use that one, or a later one.`,
    )
  })
}

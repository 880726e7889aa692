/** A document whose pages the service draws, as it draws what it seals. Pictures stay in the memory of the page, and nowhere else. */
import type { Pages, ShownPage } from '../../../operations/signer/messages.ts'
import type { Reader, ReaderPage } from '../../pdf/reader.ts'
import { ApiError, call } from '../../shared/api.ts'
import { t } from '../../words/words.ts'

export interface ServedReader extends Reader {
  /** The digest of the document. */
  sha256: string
  pages: ServedPage[]
  /** Whether the document was converted to pictures, so that no reliable text of its pages exists. */
  isDrawn: boolean
}

export interface ServedPage extends ReaderPage {
  /** Returns the same page drawn from other pictures, such as those with ink. */
  as(ask: Ask): ReaderPage
}

/** Asks the service for a page in a width of its list, in pixels. */
type Ask = (width: number) => Promise<ShownPage>

/** Pages of a document that are loaded before they come near, so that it can be read where the connection is lost. */
const LOADED_AHEAD = 10

/** @param path of the document, without a slash at its end */
export async function openServed(path: string): Promise<ServedReader> {
  const { sha256, pages: sizes, widths, isDrawn } = await call<Pages>('GET', `${path}/pages`)
  const closed = new AbortController()
  const sources = sizes.map((_, index) =>
    pictureSource(widths, (width) => call<ShownPage>('GET', `${path}/pages/${index + 1}?width=${width}`)),
  )
  let loading = false
  /** Loads the pages around one that was drawn in the same sharpness, one after the other. */
  const loadAround = async (page: number, perPoint: number) => {
    if (loading) return
    loading = true
    for (let index = page; index < Math.min(sizes.length, page + LOADED_AHEAD); index++) {
      if (closed.signal.aborted) break
      await sources[index]!.of(sizes[index]!.width * perPoint, closed.signal).catch(() => {})
    }
    loading = false
  }
  const pages = sizes.map((size, index) => {
    const draw = drawer(size, sources[index]!)
    const page = { number: index + 1, ...size }
    return {
      ...page,
      async draw(...[canvas, text, scale, signal]: Parameters<ReaderPage['draw']>) {
        await draw(canvas, text, scale, signal)
        void loadAround(page.number, scale * sharpness())
      },
      as: (ask: Ask) => ({ ...page, draw: drawer(size, pictureSource(widths, ask)) }),
    }
  })
  return { sha256, pages, isDrawn, close: () => closed.abort() }
}

interface Loaded {
  width: number
  picture: Blob
  lines: ShownPage['lines']
  isTextReliable: boolean
}

interface PictureSource {
  /** Resolves with a picture that is at least this wide, in pixels, where the service draws one as wide. */
  of(width: number, signal: AbortSignal): Promise<Loaded>
}

/** The service has few places for the pages of one session. */
const MOST_AT_ONCE = 3
let running = 0
const waiting: (() => void)[] = []

async function atOnce<T>(work: () => Promise<T>): Promise<T> {
  while (running >= MOST_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
  running++
  try {
    return await work()
  } finally {
    running--
    waiting.shift()?.()
  }
}

/** In ms: when the service does not answer, or has no room. */
const RETRY_MS = 3_000

/** Asks for each width once; a wider picture serves for a narrower one. */
function pictureSource(widths: readonly number[], ask: Ask): PictureSource {
  const loaded: Loaded[] = []
  const underWay = new Map<number, Promise<Loaded>>()
  const load = async (width: number): Promise<Loaded> => {
    const { picture, type, lines, isTextReliable } = await atOnce(() => ask(width))
    const bytes = Uint8Array.from(atob(picture), (character) => character.charCodeAt(0))
    const one = { width, lines, isTextReliable, picture: new Blob([bytes], { type }) }
    loaded.push(one)
    return one
  }
  const loadOnce = (width: number) => {
    const known = underWay.get(width)
    if (known) return known
    const loading = load(width).finally(() => underWay.delete(width))
    underWay.set(width, loading)
    return loading
  }
  return {
    async of(needed, signal) {
      const width = widths.find((one) => one >= needed) ?? widths.at(-1)!
      for (;;) {
        signal.throwIfAborted()
        const known = loaded.filter((one) => one.width >= width).sort((a, b) => a.width - b.width)[0]
        if (known) return known
        try {
          return await loadOnce(width)
        } catch (failure) {
          if (!isPassing(failure)) throw failure
          await pause(RETRY_MS, signal)
        }
      }
    },
  }
}

/** Whether another try may go well. */
export const isPassing = (failure: unknown) =>
  failure instanceof ApiError && (failure.status === 0 || failure.status === 429 || failure.status >= 500)

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })

/** Device pixels for each CSS pixel. */
const sharpness = () => devicePixelRatio || 1

const drawer =
  ({ width }: { width: number }, source: PictureSource): ReaderPage['draw'] =>
  async (canvas, text, scale, signal) => {
    const { picture, lines, isTextReliable } = await source.of(width * scale * sharpness(), signal)
    const image = await createImageBitmap(picture)
    signal.throwIfAborted()
    // Its size is that of the picture; the page's style gives it the place on the screen.
    canvas.width = image.width
    canvas.height = image.height
    canvas.getContext('2d')?.drawImage(image, 0, 0)
    image.close()
    text.replaceChildren(...(isTextReliable ? lines.map((line) => lineOfText(line, scale)) : [notice()]))
  }

const NO_TEXT = t('desk.shownAsPicture')

function notice(): HTMLElement {
  const notice = document.createElement('p')
  notice.className = 'visually-hidden'
  notice.textContent = NO_TEXT
  return notice
}

/** Letters are stretched over the place of their line, so that what is selected is what is marked. */
function lineOfText({ text, box }: ShownPage['lines'][number], scale: number): HTMLElement {
  const line = document.createElement('p')
  line.textContent = text
  line.dir = 'auto'
  const { left, top, right, bottom } = box
  Object.assign(line.style, {
    left: `${left * scale}px`,
    top: `${top * scale}px`,
    width: `${(right - left) * scale}px`,
    height: `${(bottom - top) * scale}px`,
    fontSize: `${(bottom - top) * scale * LETTER_SIZE}px`,
  })
  return line
}

/** Of the height of a line; a little less than in print, so that letters of the page's font do not take more room. */
const LETTER_SIZE = 0.85

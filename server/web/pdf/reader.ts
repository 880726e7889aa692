/** A document whose pages can be drawn, however that is done. Types only. */

export interface ReaderPage {
  /** Counted from 1. */
  number: number
  /** Size as displayed, in points. */
  width: number
  height: number
  /**
   * Draws onto the canvas, at CSS pixels for each point, and lays the text over it, to select and for screen readers. Rejects
   * when it is aborted, and changes nothing from then on.
   */
  draw(canvas: HTMLCanvasElement, text: HTMLElement, scale: number, signal: AbortSignal): Promise<void>
}

export interface Reader {
  pages: ReaderPage[]
  close(): void
}

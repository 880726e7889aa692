/** Brings the coordinates of annotations to the top left of the displayed page, wherever a host has their origin. Pure. */
import type { Annotations, Origin } from '../../contract/task/annotations.ts'
import type { PageSize } from '../geometry.ts'

interface Edges {
  pageNumber: number
  top: number
  bottom: number
}

/** Returns the places, measured from the top left. One on a page that the document does not have stays as it is. */
export const placesFromTopLeft = <P extends Edges>(
  places: readonly P[],
  origin: Origin,
  pages: readonly PageSize[],
): P[] =>
  places.map((place) => {
    const page = pages[place.pageNumber - 1]
    if (origin === 'top-left' || !page) return place
    return { ...place, top: page.height - place.top, bottom: page.height - place.bottom }
  })

/** Returns the annotations, with their coordinates measured from the top left. */
export const fromTopLeft = (annotations: Annotations, origin: Origin, pages: readonly PageSize[]): Annotations =>
  annotations.type === 'Json'
    ? { ...annotations, data: placesFromTopLeft(annotations.data, origin, pages) }
    : annotations

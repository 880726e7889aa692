/**
 * The Countersign nodes in the palette of the editor: found by what they are for, and marked when they cannot work. Loaded once, by
 * the html of the configuration node.
 */
/* global RED, $, countersign */
window.countersignPalette = (() => {
  const node = (type) => $(`.red-ui-palette-node[data-palette-type="${type}"]`)

  /**
   * Lets the search of the palette find a node by the words of the catalogue, too. Of a node in the palette it reads two
   * attributes: the type, and the label, which is shown apart from that.
   */
  function findable(type) {
    const words = countersign.text(`palette.${type}`)
    node(type).attr('data-palette-label', (_, label) => `${label} ${words}`)
  }

  /** Says in the palette and in the help why the node does nothing. */
  function marked(type, problem) {
    node(type).addClass('countersign-idle').attr('title', problem)
    const words = $('<p>').append($('<b>').text(problem)).prop('outerHTML')
    $(`script[data-help-name="${type}"]`).html((_, help) => words + help)
  }

  /** The names of the palette's sections in the ids of the editor, and in the catalogue. */
  const SECTIONS = { signature: 'main', signature__bridge: 'bridge', signature__more: 'more' }

  /** Names the sections in the language of the editor, which looks for their names in the catalogue of whichever node is first. */
  function nameSections() {
    for (const [id, name] of Object.entries(SECTIONS)) {
      const label = countersign.text(`category.${name}`)
      $(`#red-ui-palette-container-${id}`).data('label', label)
      $(`#red-ui-palette-header-${id} > span`).text(label)
    }
  }

  function added(type) {
    if (!type.startsWith('countersign-')) return
    nameSections()
    const problem = RED.settings.countersignServiceProblem
    if (problem) marked(type, problem)
    if (type !== 'countersign-service') findable(type)
  }
  RED.events.on('registry:node-type-added', added)

  return { added }
})()

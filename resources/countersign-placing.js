/**
 * Places the fields of a form on a sample PDF, in a tray of Node-RED's editor. The page in it is built from server/web/in-editor.
 * The sample stays in the browser. Loaded once, by the html of the configuration node, after countersign-editor.js.
 */
/* global RED, $, countersign */
window.countersignPlacing = (() => {
  const PAGE = 'resources/@countersign/node-red-document-signature/placing/place-fields.html'

  /** Where the coordinates of the chosen service begin, as its profile says. */
  function origin() {
    try {
      const { coordinates } = JSON.parse(RED.nodes.node(countersign.chosenService()).profile)
      return coordinates.origin === 'bottom-left' ? 'bottom-left' : 'top-left'
    } catch {
      return 'top-left'
    }
  }

  /** @param rows of the list `jsonAnnotations` @param onDone called with the rows as they were placed, once the tray is closed */
  function open(rows, onDone) {
    let placed = rows
    const asked = {
      rows,
      origin: origin(),
      // The page fills in the values itself.
      textOf: (name) => countersign.text(`placing.${name}`, { skipInterpolation: true }),
      language: RED.i18n.lang(),
      isDark: document.documentElement.classList.contains('nr-theme-dark'),
      onChange: (changed) => {
        placed = changed
      },
    }
    const title = countersign.text('editor.placeFields')
    RED.tray.show({
      title,
      width: Infinity,
      buttons: [
        {
          id: 'countersign-placing-cancel',
          text: RED._('common.label.cancel'),
          click: () => RED.tray.close(),
        },
        {
          id: 'countersign-placing-ok',
          text: RED._('common.label.done'),
          class: 'primary',
          click: () => RED.tray.close(() => onDone(placed)),
        },
      ],
      open(tray) {
        $('<iframe class="countersign-placing">')
          .attr({ src: PAGE, title })
          .on('load', (event) => event.target.contentWindow.placeFields(asked))
          .appendTo(tray.find('.red-ui-tray-body'))
      },
    })
  }

  return { open }
})()

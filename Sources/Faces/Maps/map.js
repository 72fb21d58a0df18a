"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const svg = document.querySelector("svg");
  const [left, top_, width, height] = data.box;
  const ns = "http://www.w3.org/2000/svg";
  const grounds = [...svg.querySelectorAll(".ground")];
  const pins = [...svg.querySelectorAll(".pin")].map((node) => {
    const [x, y] = node.getAttribute("transform").match(/-?[\d.]+/g).map(Number);
    return { node, x, y };
  });
  const clip = grounds.length ? grounds[0].parentNode.getAttribute("clip-path") : "";
  let zoom = 1;
  let shift = [0, 0];

  const make = (name, attributes, parent) => {
    const node = document.createElementNS(ns, name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    parent.appendChild(node);
    return node;
  };

  // Tiles, if their address was given: below the lines, above the land.
  const tiles = data.tiles ? document.createElementNS(ns, "g") : null;
  const images = new Map();
  if (tiles) {
    tiles.setAttribute("clip-path", clip);
    grounds[0].parentNode.after(tiles);
  }
  const drawTiles = () => {
    if (!tiles) return;
    const across = 2 * Math.PI * data.scale * zoom;
    const level = Math.max(0, Math.min(19, Math.round(Math.log2(across / 256))));
    const count = 2 ** level;
    const side = across / count;
    // Where the corner of the tile 0/0 stands.
    const originX = left + (data.west - left) * zoom + shift[0];
    const originY = top_ + (data.north - top_) * zoom + shift[1];
    const wanted = new Set();
    for (let y = Math.floor((top_ - originY) / side); y * side + originY < top_ + height; y++) {
      if (y < 0 || y >= count) continue;
      for (let x = Math.floor((left - originX) / side); x * side + originX < left + width; x++) {
        const key = `${level}/${x}/${y}`;
        wanted.add(key);
        if (!images.has(key)) {
          const column = ((x % count) + count) % count;
          const address = data.tiles
            .replaceAll("{z}", level).replaceAll("{x}", column).replaceAll("{y}", y);
          images.set(key, make("image", { href: address, preserveAspectRatio: "none" }, tiles));
        }
        const image = images.get(key);
        image.setAttribute("x", x * side + originX);
        image.setAttribute("y", y * side + originY);
        image.setAttribute("width", side + 0.3);
        image.setAttribute("height", side + 0.3);
      }
    }
    for (const [key, image] of images) {
      if (wanted.has(key)) continue;
      image.remove();
      images.delete(key);
    }
  };

  const toPage = (x, y) => [left + (x - left) * zoom + shift[0], top_ + (y - top_) * zoom + shift[1]];
  const draw = () => {
    for (const [axis, length] of [[0, width], [1, height]]) {
      // The map is drawn as far as its own width beyond its edges.
      const least = length - 2 * length * zoom;
      shift[axis] = Math.min(length * zoom, Math.max(least, shift[axis]));
    }
    const x = left * (1 - zoom) + shift[0];
    const y = top_ * (1 - zoom) + shift[1];
    for (const node of grounds) node.setAttribute("transform", `matrix(${zoom} 0 0 ${zoom} ${x} ${y})`);
    for (const pin of pins) {
      const [px, py] = toPage(pin.x, pin.y);
      pin.node.setAttribute("transform", `translate(${px} ${py})`);
    }
    svg.classList.toggle("moved", zoom !== 1 || shift[0] !== 0 || shift[1] !== 0);
    drawTiles();
    hide();
  };
  const zoomAt = (factor, x, y) => {
    const before = zoom;
    zoom = Math.min(64, Math.max(1 / 3, zoom * factor));
    const real = zoom / before;
    shift = [x - left - (x - left - shift[0]) * real, y - top_ - (y - top_ - shift[1]) * real];
    draw();
  };
  const place = (event) => {
    const point = new DOMPoint(event.clientX, event.clientY);
    const { x, y } = point.matrixTransform(svg.getScreenCTM().inverse());
    return [x, y];
  };
  const isIn = (box, x, y) =>
    box && x >= box[0] && x <= box[0] + box[2] && y >= box[1] && y <= box[1] + box[3];

  // What is known of the moment that is pointed at.
  const samples = data.samples || [];
  const profile = data.profile;
  const tip = document.getElementById("tip");
  const dot = samples.length ? make("circle", { class: "f-line1 s-casing", r: 5, "stroke-width": 2 }, svg) : null;
  const ruler = samples.length ? make("path", { class: "s-faint" }, svg) : null;
  const hide = () => {
    tip.hidden = true;
    for (const node of [dot, ruler]) if (node) node.setAttribute("visibility", "hidden");
  };
  const show = (sample, event) => {
    const [x, y, time, text] = sample;
    const [px, py] = toPage(x, y);
    dot.setAttribute("cx", px);
    dot.setAttribute("cy", py);
    dot.setAttribute("visibility", isIn(data.box, px, py) ? "visible" : "hidden");
    const line = profile[0] + profile[2] * time;
    ruler.setAttribute("d", `M${line} ${profile[1]}v${profile[3]}`);
    ruler.setAttribute("visibility", "visible");
    tip.textContent = text;
    tip.hidden = false;
    const room = document.documentElement.clientWidth - tip.offsetWidth - 8;
    tip.style.left = `${Math.min(event.clientX + 14, room)}px`;
    tip.style.top = `${event.clientY + 14}px`;
  };
  const point = (event) => {
    if (!samples.length) return;
    const [x, y] = place(event);
    let distance = Infinity;
    let nearest = null;
    if (isIn(data.box, x, y)) {
      distance = 18 * 18;
      for (const sample of samples) {
        const [px, py] = toPage(sample[0], sample[1]);
        const square = (px - x) ** 2 + (py - y) ** 2;
        if (square < distance) [distance, nearest] = [square, sample];
      }
    } else if (isIn(profile, x, y)) {
      const time = (x - profile[0]) / profile[2];
      for (const sample of samples) {
        const apart = Math.abs(sample[2] - time);
        if (apart < distance) [distance, nearest] = [apart, sample];
      }
    }
    if (nearest) show(nearest, event); else hide();
  };

  // Moving and zooming: mouse, touch, wheel, keys and buttons.
  const pointers = new Map();
  svg.addEventListener("pointerdown", (event) => {
    const [x, y] = place(event);
    if (!isIn(data.box, x, y)) return;
    pointers.set(event.pointerId, [x, y]);
    svg.setPointerCapture(event.pointerId);
  });
  svg.addEventListener("pointermove", (event) => {
    const last = pointers.get(event.pointerId);
    if (!last) return point(event);
    const now = place(event);
    if (pointers.size === 1) {
      shift = [shift[0] + now[0] - last[0], shift[1] + now[1] - last[1]];
      draw();
    } else {
      const other = [...pointers].find(([id]) => id !== event.pointerId)[1];
      const length = (a) => Math.hypot(a[0] - other[0], a[1] - other[1]) || 1;
      zoomAt(length(now) / length(last), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
    }
    pointers.set(event.pointerId, now);
  });
  for (const name of ["pointerup", "pointercancel"]) {
    svg.addEventListener(name, (event) => pointers.delete(event.pointerId));
  }
  svg.addEventListener("pointerleave", hide);
  svg.addEventListener("wheel", (event) => {
    const [x, y] = place(event);
    if (!isIn(data.box, x, y)) return;
    event.preventDefault();
    zoomAt(2 ** (-event.deltaY / 300), x, y);
  }, { passive: false });
  const middle = [left + width / 2, top_ + height / 2];
  const reset = () => { zoom = 1; shift = [0, 0]; draw(); };
  const actions = {
    in: () => zoomAt(1.6, ...middle), out: () => zoomAt(1 / 1.6, ...middle), all: reset,
  };
  for (const [name, action] of Object.entries(actions)) {
    document.getElementById(name).addEventListener("click", action);
  }
  addEventListener("keydown", (event) => {
    const moves = { ArrowLeft: [80, 0], ArrowRight: [-80, 0], ArrowUp: [0, 80], ArrowDown: [0, -80] };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "+" || event.key === "=") actions.in();
    else if (event.key === "-") actions.out();
    else if (event.key === "0") reset();
    else if (moves[event.key] && zoom !== 1) {
      shift = [shift[0] + moves[event.key][0], shift[1] + moves[event.key][1]];
      draw();
      event.preventDefault();
    }
  });
  const buttons = document.getElementById("buttons");
  const whole = svg.viewBox.baseVal;
  buttons.style.left = `${((left + 8) / whole.width) * 100}%`;
  buttons.style.top = `${((top_ + 8) / whole.height) * 100}%`;
  buttons.hidden = false;
  draw();
})();

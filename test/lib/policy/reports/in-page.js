/** What tests ask in the page; not in TypeScript, where this project knows no documents. */

/** Pixels that the page is wider than its window. */
export function overflow() {
  return document.documentElement.scrollWidth - innerWidth;
}

export function background() {
  return getComputedStyle(document.body).backgroundColor;
}

/** Pixels of a picture, once it is there. */
export async function widthWhenLoaded(image) {
  await image.decode();
  return image.naturalWidth;
}

/** The direction in which a browser sets the text of an element, which `dir="auto"` leaves to its first letters. */
export function directionOf(element) {
  return getComputedStyle(element).direction;
}

/** The WCAG contrast of each text with what is behind it. */
export function contrasts(selectors) {
  const channels = (color) => color.match(/[\d.]+/g).map(Number);
  const linear = (value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  const luminance = (color) => {
    const [red, green, blue] = channels(color).map((value) => linear(value / 255));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const behind = (element) => {
    if (element === null) return 'rgb(255, 255, 255)';
    const color = getComputedStyle(element).backgroundColor;
    return channels(color)[3] === 0 ? behind(element.parentElement) : color;
  };
  return selectors.flatMap((selector) => {
    const found = [...document.querySelectorAll(selector)];
    // What is not there cannot be read.
    if (found.length === 0) return [{selector, ratio: 0}];
    return found.map((element) => {
      const both = [luminance(getComputedStyle(element).color), luminance(behind(element))].sort((one, other) => other - one);
      return {selector, ratio: (both[0] + 0.05) / (both[1] + 0.05)};
    });
  });
}

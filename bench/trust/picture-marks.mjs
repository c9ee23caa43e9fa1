// The marks of the picture: texts, dots and squares, which are as full as a share.

const fixed = (number) => number.toFixed(1);

export const textOf = ([x, y], label, kind = '', anchor = 'start') =>
  `<text x="${fixed(x)}" y="${fixed(y)}"${kind && ` class="${kind}"`}${anchor === 'start' ? '' : ` text-anchor="${anchor}"`}>${label}</text>`;

const radius = 5;

/** A dot, filled clockwise from the top. */
export function dotOf([x, y], share) {
  const ring = `<circle class="ring ${share > 0.995 ? 'full' : 'hollow'}" cx="${fixed(x)}" cy="${fixed(y)}" r="${radius}"/>`;
  if (share > 0.995 || share <= 0) return ring;
  const angle = 2 * Math.PI * share;
  const end = [x + radius * Math.sin(angle), y - radius * Math.cos(angle)].map(fixed).join(' ');
  const arc = `A${radius} ${radius} 0 ${share > 0.5 ? 1 : 0} 1 ${end}`;
  return `${ring}<path class="full" d="M${fixed(x)} ${fixed(y)}L${fixed(x)} ${fixed(y - radius)}${arc}Z"/>`;
}

/** A square, filled from below. */
export function barOf([x, y], share) {
  const side = 2 * radius;
  const [left, top, height] = [x - radius, y - radius, side * share];
  return (
    `<rect class="ring hollow" x="${fixed(left)}" y="${fixed(top)}" width="${side}" height="${side}"/>` +
    `<rect class="full" x="${fixed(left)}" y="${fixed(top + side - height)}" width="${side}" height="${fixed(height)}"/>`
  );
}

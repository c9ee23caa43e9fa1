export function clockText(iso: string): string {
  return iso.slice(11, 19);
}

export function timeText(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}

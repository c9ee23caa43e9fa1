/** Returns a PNG file of RGBA pixels with at most 256 colours. */
export declare function smallPng(picture: {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}): Buffer;

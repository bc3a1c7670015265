// @ts-check
// Reads the bytes that pack.py writes.

/**
 * An array: its shape, and its numbers in row-major order.
 * @template {Float32Array | Uint8Array} [V=Float32Array]
 * @typedef {{shape: number[], values: V}} Packed
 */

/**
 * Read a block of bytes as plain values and arrays by their names.
 * @param {Uint8Array} bytes
 * @returns {{meta: any, arrays: Record<string, Packed<any>>}}
 */
export function unpack(bytes) {
  const buffer = bytes.slice().buffer; // a copy: the view's offset need not be a multiple of four
  const length = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  /** @type {Record<string, Packed<any>>} */
  const arrays = {};
  let offset = 4 + length;
  for (const { name, shape, dtype } of /** @type {{name: string, shape: number[], dtype: string}[]} */ (header.arrays)) {
    const count = shape.reduce((product, size) => product * size, 1);
    const values = dtype === "u1" ? new Uint8Array(buffer, offset, count) : new Float32Array(buffer, offset, count);
    arrays[name] = { shape, values };
    offset += Math.ceil(values.byteLength / 4) * 4;
  }
  return { meta: header.meta, arrays };
}

/**
 * Return what was compressed.
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {CompressionFormat} format
 */
export async function inflated(bytes, format) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(format));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

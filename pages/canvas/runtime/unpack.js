// Bytes in, as pack.py lays them out -> {meta, arrays: {name: {shape, values}}}.

export function unpack(bytes) {
  const buffer = bytes.slice().buffer; // a copy: the view's offset need not be a multiple of four
  const length = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const arrays = {};
  let offset = 4 + length;
  for (const { name, shape, dtype } of header.arrays) {
    const count = shape.reduce((product, size) => product * size, 1);
    const values = dtype === "u1" ? new Uint8Array(buffer, offset, count) : new Float32Array(buffer, offset, count);
    arrays[name] = { shape, values };
    offset += Math.ceil(values.byteLength / 4) * 4;
  }
  return { meta: header.meta, arrays };
}

/** Builds Java archives: zip files with uncompressed entries. */
import { crc32 } from 'node:zlib';

export function jar(files: Record<string, string | Uint8Array>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const body = Buffer.from(content);
    const entry = Buffer.concat([header(0x04034b50, name, body, null), Buffer.from(name), body]);
    directory.push(header(0x02014b50, name, body, offset), Buffer.from(name));
    parts.push(entry);
    offset += entry.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, listed, end]);
}

/** An archive with Maven's coordinates. */
export function mavenJar(group: string, artifact: string, version: string): Buffer {
  const properties = `groupId=${group}\nartifactId=${artifact}\nversion=${version}\n`;
  return jar({ [`META-INF/maven/${group}/${artifact}/pom.properties`]: properties });
}

/** Header of an entry; with an offset, its record in the central directory. */
function header(signature: number, name: string, body: Buffer, offset: number | null): Buffer {
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0);
  common.writeUInt32LE(crc32(body), 10);
  common.writeUInt32LE(body.length, 14);
  common.writeUInt32LE(body.length, 18);
  common.writeUInt16LE(Buffer.byteLength(name), 22);
  const start = Buffer.alloc(offset === null ? 4 : 6);
  start.writeUInt32LE(signature, 0);
  if (offset === null) return Buffer.concat([start, common]);
  start.writeUInt16LE(20, 4);
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(offset, 10);
  return Buffer.concat([start, common, rest]);
}

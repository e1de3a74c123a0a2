/**
 * Builds an ELF file with nothing but the build information that Go's linker writes
 * (debug/buildinfo): scanners find its modules, and it does not run.
 */

export interface GoModuleVersion {
  path: string;
  version: string;
}

const BASE = 0x400000;
const ELF_HEADER = 64;
const PROGRAM_HEADER = 56;
const SECTION_HEADER = 64;
const NAMES = '\0.go.buildinfo\0.shstrtab\0';
const WRITE_AND_ALLOCATE = 3;

export function goProgramFile(
  go: string,
  main: string,
  modules: readonly GoModuleVersion[],
): Buffer {
  const info = buildInfo(go, main, modules);
  const infoAt = ELF_HEADER + PROGRAM_HEADER + 8;
  const namesAt = infoAt + info.length;
  const sectionsAt = Math.ceil((namesAt + NAMES.length) / 8) * 8;
  const file = Buffer.alloc(sectionsAt + 3 * SECTION_HEADER);
  writeElfHeader(file, sectionsAt);
  writeProgramHeader(file.subarray(ELF_HEADER), file.length);
  info.copy(file, infoAt);
  file.write(NAMES, namesAt, 'latin1');
  const sections = file.subarray(sectionsAt);
  const named = (name: string) => NAMES.indexOf(name);
  writeSection(sections.subarray(SECTION_HEADER), {
    name: named('.go.buildinfo'),
    type: 1,
    flags: WRITE_AND_ALLOCATE,
    address: BASE + infoAt,
    offset: infoAt,
    size: info.length,
  });
  writeSection(sections.subarray(2 * SECTION_HEADER), {
    name: named('.shstrtab'),
    type: 3,
    flags: 0,
    address: 0,
    offset: namesAt,
    size: NAMES.length,
  });
  return file;
}

/** Bytes around the text by which Go recognizes it. */
const TEXT_START = Buffer.from('3077af0c9274080241e1c107e6d618e6', 'hex');
const TEXT_END = Buffer.from('f932433186182072008242104116d8f2', 'hex');
/** Strings follow the header, each after its length. */
const INLINE_STRINGS = 2;

function buildInfo(go: string, main: string, modules: readonly GoModuleVersion[]): Buffer {
  const lines = [
    `path\t${main}`,
    `mod\t${main}\t(devel)\t`,
    ...modules.map(({ path, version }) => `dep\t${path}\t${version}\th1:${'A'.repeat(43)}=`),
    '',
  ];
  const header = Buffer.alloc(32);
  header.write('\xff Go buildinf:', 0, 'latin1');
  header[14] = 8;
  header[15] = INLINE_STRINGS;
  const text = Buffer.concat([TEXT_START, Buffer.from(lines.join('\n')), TEXT_END]);
  return Buffer.concat([header, withLength(Buffer.from(go)), withLength(text), Buffer.alloc(16)]);
}

/** Its length as a varint, then the bytes. */
function withLength(bytes: Buffer): Buffer {
  const length: number[] = [];
  for (let rest = bytes.length; ; rest >>>= 7) {
    if (rest < 0x80) return Buffer.concat([Buffer.from([...length, rest]), bytes]);
    length.push((rest & 0x7f) | 0x80);
  }
}

/** 64 bits, little-endian, an executable for x86-64. */
function writeElfHeader(into: Buffer, sectionsAt: number): void {
  into.write('\x7fELF\x02\x01\x01', 0, 'latin1');
  into.writeUInt16LE(2, 16);
  into.writeUInt16LE(62, 18);
  into.writeUInt32LE(1, 20);
  into.writeBigUInt64LE(BigInt(BASE), 24);
  into.writeBigUInt64LE(BigInt(ELF_HEADER), 32);
  into.writeBigUInt64LE(BigInt(sectionsAt), 40);
  into.writeUInt16LE(ELF_HEADER, 52);
  into.writeUInt16LE(PROGRAM_HEADER, 54);
  into.writeUInt16LE(1, 56);
  into.writeUInt16LE(SECTION_HEADER, 58);
  into.writeUInt16LE(3, 60);
  into.writeUInt16LE(2, 62);
}

/** The whole file is mapped at `BASE`, readable and writable. */
function writeProgramHeader(into: Buffer, size: number): void {
  into.writeUInt32LE(1, 0);
  into.writeUInt32LE(6, 4);
  into.writeBigUInt64LE(BigInt(BASE), 16);
  into.writeBigUInt64LE(BigInt(BASE), 24);
  into.writeBigUInt64LE(BigInt(size), 32);
  into.writeBigUInt64LE(BigInt(size), 40);
  into.writeBigUInt64LE(0x1000n, 48);
}

interface Section {
  name: number;
  type: number;
  flags: number;
  address: number;
  offset: number;
  size: number;
}

function writeSection(into: Buffer, section: Section): void {
  into.writeUInt32LE(section.name, 0);
  into.writeUInt32LE(section.type, 4);
  into.writeBigUInt64LE(BigInt(section.flags), 8);
  into.writeBigUInt64LE(BigInt(section.address), 16);
  into.writeBigUInt64LE(BigInt(section.offset), 24);
  into.writeBigUInt64LE(BigInt(section.size), 32);
  into.writeBigUInt64LE(16n, 48);
}

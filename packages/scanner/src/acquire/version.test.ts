import { describe, expect, it } from 'vitest';
import { goBuildsPinned, parseTrivyVersion, versionFault } from './version.ts';

describe('the version of the scanner', () => {
  it.each([
    ['Version: 0.74.0\n', '0.74.0'],
    ['Version: v0.72.1\nVulnerability DB:\n  Version: 2\n', '0.72.1'],
    ['Version: dev\n', null],
    ['Vulnerability DB:\n  Version: 2\n', null],
    ['GNU bash, version 5.2.37', null],
  ])('%j is %s', (output, version) => {
    expect(parseTrivyVersion(output)).toBe(version);
  });

  it.each([
    ['0.74.0', null],
    ['0.68.0', null],
    ['1.0.0', null],
    ['0.69.3', null],
    ['0.69.4', 'malicious'],
    ['0.69.5', 'malicious'],
    ['0.69.6', 'malicious'],
    ['0.67.2', 'too_old'],
    ['0.9.0', 'too_old'],
    [null, 'unknown'],
  ])('%s is refused as %s', (version, fault) => {
    expect(versionFault(version)).toBe(fault);
  });
});

it.each([
  ['go version go1.26.3 linux/amd64', true],
  ['go version go1.26.8 X:jsonv2 linux/amd64', true],
  ['go version go1.26.2 linux/amd64', false],
  ['go version go1.26 linux/amd64', false],
  ['go version go1.27.0 linux/amd64', false],
  ['go version go1.25.9 linux/amd64', false],
  ['go version go1.26rc1 linux/amd64', false],
  ['not go', false],
])('%j builds the scanner: %s', (output, builds) => {
  expect(goBuildsPinned(output)).toBe(builds);
});

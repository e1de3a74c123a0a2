import express from 'express';
import { expect, it } from 'vitest';
import { isProxyAddress } from './proxy-address.ts';

function expressTakes(word: string): boolean {
  try {
    express().set('trust proxy', [word]);
    return true;
  } catch {
    return false;
  }
}

it.each([
  ['127.0.0.1', true],
  ['10.0.0.0/8', true],
  ['10.0.0.0/255.0.0.0', true],
  ['::1', true],
  ['fd00::/8', true],
  ['loopback', true],
  ['uniquelocal', true],
  ['10.0.0.0/33', false],
  ['10.0.0.0/0', false],
  ['10.0.0.0/255.0.255.0', false],
  ['10.0.0.0/8/8', false],
  ['fd00::/129', false],
  ['proxy.example.com', false],
  ['300.1.2.3', false],
  ['', false],
])('O12: %j is known as a proxy’s address where Express takes it: %s', (word, is) => {
  expect([isProxyAddress(word), expressTakes(word)]).toEqual([is, is]);
});

import type { BuildOptions } from 'esbuild';

export const BUNDLE_OPTIONS: BuildOptions;
export function loadSource(root: string, file: string): Record<string, unknown>;

import type { IConnections, IDataObject, INode } from 'n8n-workflow';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A workflow as n8n exports it. */
export interface StoredWorkflow {
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings: object;
}

/** First item of each node when the workflow was stored, by node name; see `createOutline`. */
export type ExpectedOutputs = Record<string, IDataObject>;

/** Prefix of the types of all nodes of the pack. */
export const NODE_TYPE_PREFIX = 'n8n-nodes-gatehouse.';

/** Node that passes the test's items to a stored workflow. */
export const START = { name: 'Start', type: 'n8n-nodes-base.manualTrigger' };

const folder = __dirname;

/** Releases with stored workflows. */
export const listReleases = (): string[] =>
	readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
		entry.isDirectory() ? entry.name : [],
	);

/** Files with a workflow of a release and its expected outputs. */
export const locateFiles = (release: string, node: string) => ({
	workflow: path.join(folder, release, `${node}.json`),
	expectedOutputs: path.join(folder, release, 'outputs', `${node}.json`),
});

/** Reads a workflow of a release and its expected outputs. */
export function readStoredWorkflow(
	release: string,
	node: string,
): { workflow: StoredWorkflow; expectedOutputs: ExpectedOutputs } {
	const files = locateFiles(release, node);
	const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
	return {
		workflow: read(files.workflow) as StoredWorkflow,
		expectedOutputs: read(files.expectedOutputs) as ExpectedOutputs,
	};
}

/** Whether it is an object or a list. A list is compared entry by entry. */
const hasMembers = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null;

/** Flattens the parameters of a test's item: each value under its whole path. */
export function flattenParameters(value: unknown, name = ''): IDataObject {
	if (!hasMembers(value)) return { [name]: value as string };
	return Object.assign(
		{},
		...Object.entries(value).map(([key, member]) =>
			flattenParameters(member, name ? `${name}.${key}` : key),
		),
	) as IDataObject;
}

/** Replaces each value that differs from `other` with an expression that reads it from the item, under its whole path. */
export function parameterize(original: unknown, other: unknown, name = ''): unknown {
	if (!hasMembers(original) || !hasMembers(other)) {
		return original === other ? original : `={{ $json[${JSON.stringify(name)}] }}`;
	}
	const entries = Object.entries(original).map(
		([key, value]) =>
			[key, parameterize(value, other[key], name ? `${name}.${key}` : key)] as const,
	);
	return Array.isArray(original) ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}

/** Values that workflows branch on: a boolean, or a word such as an outcome. */
const isBranchValue = (value: unknown) =>
	typeof value === 'boolean' || /^[a-z]+$/.test(`${value as string}`);

const formatType = (value: unknown) => `<${value === null ? 'null' : typeof value}>`;

/**
 * Outline of an item that must stay: its fields with their types, and the values that workflows branch on. Of a list, its first
 * entry.
 */
export function createOutline(value: unknown): unknown {
	if (Array.isArray(value)) return value.slice(0, 1).map(createOutline);
	if (hasMembers(value)) {
		return Object.fromEntries(
			Object.entries(value).map(([name, member]) => [name, createOutline(member)]),
		);
	}
	return isBranchValue(value) && value !== null ? value : formatType(value);
}

/** Paths that are missing or different now; new ones are allowed. */
export function findLosses(before: unknown, now: unknown, name = ''): string[] {
	if (!hasMembers(before)) {
		const found = before === now ? before : formatType(now);
		return found === before ? [] : [`${name} was ${String(before)}, and is ${String(now)}`];
	}
	if (!hasMembers(now)) return [`${name} is ${formatType(now)}`];
	return Object.entries(before).flatMap(([key, value]) =>
		key in now ? findLosses(value, now[key], `${name}.${key}`) : [`${name}.${key} is gone`],
	);
}

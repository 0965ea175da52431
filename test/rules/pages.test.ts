// Protects readers of the pages about triggers, waiting and agents: their defaults, limits and names are those of the nodes.
import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { SHORT_WAIT_MS } from '../../nodes/engine/park/waitTimes';
import { toolCallRows } from '../../nodes/engine/review/toolCallRows';
import { postedIds } from '../../nodes/engine/trigger/ids/webhook/intake';
import {
	chainDigest,
	contentDigest,
	statusDigest,
} from '../../nodes/engine/trigger/lists/core/digest';
import { serializeState } from '../../nodes/engine/trigger/lists/core/recordState';
import { FOLLOW_DEFAULTS } from '../../nodes/engine/trigger/lists/core/types';
import { MAX_BLOCKING_WAIT_S } from '../../nodes/engine/wait/wait';
import { MAX_MESSAGE_LENGTH } from '../../nodes/TwoFactor/approvalRequest/message';
import { packServices } from '../support/pack';
import { root } from './files';

const MAX_BYTES = 8192;
const readPage = (page: string) => readFileSync(join(root, 'docs', page), 'utf8');

/** Returns the cells of the rows below a table's head that begins with the given cells. */
function readTable(text: string, ...head: string[]): string[][] {
	const lines = text.split('\n');
	const start = lines.findIndex((line) => line.startsWith(`| ${head.join(' | ')} |`));
	if (start < 0) throw new Error(`There is no table with the head ${head.join(', ')}`);
	const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
	return lines.slice(start + 2, end).map((line) =>
		line
			.split('|')
			.slice(1, -1)
			.map((cell) => cell.trim()),
	);
}

const readSection = (text: string, heading: string) =>
	text.split(`\n## ${heading}\n`)[1]!.split('\n## ')[0]!;

const triggers = packServices.flatMap(({ Trigger }) =>
	Trigger ? [new Trigger().description] : [],
);
const findProperty = ({ properties }: INodeTypeDescription, name: string) =>
	properties.find((property) => property.name === name);
/** Lists the triggers that have a property. */
const listTriggersWith = (name: string) =>
	triggers.filter((trigger) => findProperty(trigger, name));

/** Returns a default as the pages write it. */
function formatDefault(value: unknown): string {
	if (typeof value === 'boolean') return value ? 'on' : 'off';
	// Of these options, an empty text and 0 mean that there is no condition.
	return value === '' || value === 0 ? 'any' : Number(value).toLocaleString('en');
}

test.each(['agents.md', 'triggers.md', 'waiting.md'])('%s has at most 8 kB', (page) => {
	expect(Buffer.byteLength(readPage(page))).toBeLessThanOrEqual(MAX_BYTES);
});

describe('docs/triggers.md', () => {
	const text = readPage('triggers.md');

	test.each([
		['Triggers that follow lists', listTriggersWith('triggerOn')],
		['Triggers that watch IDs', listTriggersWith('outcomes')],
	])(
		'has in the table of %s every option with its default, and the limits of the polling interval',
		(heading, describedTriggers) => {
			const rows = readTable(readSection(text, heading), 'Option', 'Default');
			const options = describedTriggers.flatMap(
				(trigger) => findProperty(trigger, 'options')!.options as INodeProperties[],
			);
			const documentedDefaults = rows.flatMap(([names = '', value]) =>
				names.split(', ').map((name) => [name, value]),
			);
			expect(Object.fromEntries(documentedDefaults)).toEqual(
				Object.fromEntries(
					options.map((option) => [option.displayName, formatDefault(option.default)]),
				),
			);
			const { minValue, maxValue } = options.find(({ displayName }) =>
				displayName.startsWith('Polling Interval'),
			)!.typeOptions!;
			const [, , intervalText] = rows.find(([name]) => name!.startsWith('Polling Interval'))!;
			expect(intervalText).toMatch(
				maxValue! < 60
					? new RegExp(`, from ${minValue} to ${maxValue}$`)
					: new RegExp(`, at least ${minValue}$`),
			);
		},
	);

	test('lists every change that starts a workflow', () => {
		const [, ...cells] = /^\| Trigger On \| (.*) \| (.*) \|$/m.exec(text)!;
		const documentedChanges = cells.map((cell) => cell.split(/[,;] (?:[^,;:]*: )?/).sort());
		const [, ...names] = /^\| \| ([^|]+) \| ([^|]+) \|$/m.exec(text)!;
		const offeredChanges = listTriggersWith('triggerOn').map((trigger): [string, string[]] => {
			const kinds = findProperty(trigger, 'triggerOn')!.options as INodePropertyOptions[];
			return [trigger.displayName, kinds.map(({ name }) => name).sort()];
		});
		expect(new Map(names.map((name, index) => [name, documentedChanges[index]!]))).toEqual(
			new Map(offeredChanges),
		);
	});

	test('states how long an event counts as current', () => {
		const panel = JSON.stringify(
			listTriggersWith('where').map((trigger) => findProperty(trigger, 'where')),
		);
		const [days] = /until \d+ days after/.exec(panel)!;
		expect(text).toContain(`${days} their end`);
	});

	test('states how many characters of a record are stored, and for how many records', () => {
		const state = {
			content: contentDigest({ id: 1 }),
			status: statusDigest('confirmed'),
			happenedEvents: 0,
			isKept: false,
		};
		const shortLength = serializeState({ ...state, chain: '' }).length;
		const longLength = serializeState({ ...state, chain: chainDigest('key') }).length;
		expect(text.match(/\d+ or \d+ characters/g)).toEqual(
			Array(2).fill(`${shortLength} or ${longLength} characters`),
		);
		expect(text).toContain(`up to ${FOLLOW_DEFAULTS.maxKnown.toLocaleString('en')} records`);
	});

	test('shows the command of the panel, and a body that the webhook accepts', () => {
		const [, command] = /```sh\n(curl .*)\n```/.exec(text)!;
		expect(listTriggersWith('webhookNotice')).toHaveLength(listTriggersWith('outcomes').length);
		for (const trigger of listTriggersWith('webhookNotice'))
			expect(findProperty(trigger, 'webhookNotice')!.displayName).toContain(`<li>${command}</li>`);
		const [, body] = /```json\n(.*)\n```/.exec(text)!;
		expect(postedIds(JSON.parse(body!), (subject) => `${subject}`)).toEqual([
			{ id: '…' },
			{ id: '…', data: { order: 1042 }, subject: '…' },
		]);
	});
});

describe('docs/waiting.md', () => {
	const text = readPage('waiting.md');

	test('states the time limits of the operations', () => {
		const limits = packServices.flatMap(({ Node }) =>
			new Node().description.properties.filter(({ name }) => name === 'waitLimit'),
		);
		const documentedLimits = [...text.matchAll(/_(Max Wait for [^_]+)_, (\d+),/g)];
		expect(new Set(documentedLimits.map(([, name, value]) => `${name} ${value}`))).toEqual(
			new Set(limits.map((property) => `${property.displayName} ${property.default as number}`)),
		);
	});

	test('states when an execution keeps running, and for how long', () => {
		expect(text).toContain(
			`With a wait of ${SHORT_WAIT_MS / 1000} seconds or less the execution also keeps running`,
		);
		expect(text).toContain('it waits for an hour at most');
		expect(MAX_BLOCKING_WAIT_S).toBe(3600);
	});
});

describe('docs/agents.md', () => {
	const text = readPage('agents.md');
	const limits = new Map(
		readTable(text, 'Shown in full', 'At most').map(([label, most]) => [
			label,
			Number(most!.replaceAll(',', '')),
		]),
	);
	const [maxRows, maxPerRow, maxTotal, maxFromInput] = [
		'rows',
		'characters in one row',
		'characters in all',
		'characters from the input',
	].map((label) => limits.get(label)!) as [number, number, number, number];
	const makeRows = (values: string[], input: string[] = []) =>
		toolCallRows(
			{
				tool: 'Refund',
				agent: 'Agent',
				arguments: values.map((value, index) => [`a${index}`, value]),
				workflowData: input.map((value, index) => [`d${index}`, value]),
			},
			{ shortens: false },
		);
	/** Returns texts of this total length, each as long as a row may be. */
	const makeTexts = (total: number) =>
		Array.from({ length: Math.ceil(total / maxPerRow) }, (_, index) =>
			'x'.repeat(Math.min(maxPerRow, total - index * maxPerRow)),
		);

	test.each([
		[
			'rows',
			() => makeRows(Array(maxRows).fill('x')),
			() => makeRows(Array(maxRows + 1).fill('x')),
		],
		[
			'one row',
			() => makeRows(['x'.repeat(maxPerRow)]),
			() => makeRows(['x'.repeat(maxPerRow + 1)]),
		],
		['all', () => makeRows(makeTexts(maxTotal)), () => makeRows(makeTexts(maxTotal + 1))],
		[
			'the input',
			() => makeRows([], makeTexts(maxFromInput)),
			() => makeRows([], makeTexts(maxFromInput + 1)),
		],
	])('states the limit of %s', (_, makeLongest, makeTooLong) => {
		expect(makeLongest).not.toThrow();
		expect(makeTooLong).toThrow();
	});

	test('states the maximum length of a message', () => {
		expect(text).toContain(`messages of ${MAX_MESSAGE_LENGTH} characters`);
	});

	test('names only operations that exist', () => {
		const operations = packServices.flatMap(({ service }) =>
			Object.values(service.resources).flatMap((resource) =>
				Object.values(resource.operations).flatMap(({ name }) => [
					name,
					`${resource.name}: ${name}`,
				]),
			),
		);
		const namedOperations = readTable(text, 'Review every tool that', 'Operations').flatMap(
			([, cell]) => [...cell!.matchAll(/_([^_]+)_/g)].map(([, name]) => name),
		);
		expect(namedOperations.length).toBeGreaterThan(10);
		// 'Apply' is a mode of Sync.
		expect(
			namedOperations.filter((name) => name !== 'Apply' && !operations.includes(name!)),
		).toEqual([]);
	});
});

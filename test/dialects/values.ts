import { gzipSync } from 'node:zlib';

import { isForm, isObject, jsonIn, mapMembers, onJson, withBody } from './dialect';
import type { Answer, Dialect } from './dialect';

const words = (name: string) =>
	name
		.replace(/([a-z\d])([A-Z])/g, '$1 $2')
		.split(/[ _-]+/)
		.map((word) => word.toLowerCase());
const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const pascal = (name: string) => words(name).map(capitalize).join('');
const camel = (name: string) => pascal(name).replace(/^./, (letter) => letter.toLowerCase());

/** Creates a dialect that writes every name of an answer in another way. Names in a form are data. */
const renamed = (name: string, group: string, rename: (name: string) => string): Dialect => ({
	name,
	group,
	rewrite: onJson((body, request) =>
		isForm(request) ? body : mapMembers(body, (member, value) => [rename(member), value]),
	),
});

const OTHER_NAMES: Record<string, string> = {
	FirstName: 'GivenName',
	LastName: 'FamilyName',
	Email: 'EmailAddress',
	StartDate: 'StartsAt',
	RegistrationStatus: 'State',
	ConfirmationCode: 'Reference',
	firstName: 'givenName',
	lastName: 'familyName',
	email: 'emailAddress',
	startTime: 'startsAt',
	endTime: 'endsAt',
	status: 'state',
	title: 'subject',
	name: 'label',
};

const names: Dialect[] = [
	renamed('camelCase', 'case of names', camel),
	renamed('PascalCase', 'case of names', pascal),
	renamed('snake_case', 'case of names', (name) => words(name).join('_')),
	renamed('UPPER_CASE', 'case of names', (name) => words(name).join('_').toUpperCase()),
	renamed('lower case', 'case of names', (name) => name.toLowerCase()),
	renamed('other names', 'other names', (name) => OTHER_NAMES[name] ?? name),
	renamed('names with a prefix', 'other names', (name) => `attr_${name}`),
	renamed('every name but the ID', 'other names', (name) =>
		/id$/i.test(name) || ['success', 'token'].includes(name) ? name : `f_${name}`,
	),
];

/** Creates a dialect that changes the status words. */
const statusWords = (name: string, change: (word: string) => string): Dialect => ({
	name,
	group: 'status words',
	rewrite: onJson((body, request) =>
		isForm(request)
			? body
			: mapMembers(body, (member, value) => [
					member,
					/status$/i.test(member) && typeof value === 'string' ? change(value) : value,
				]),
	),
	form: (value) => (typeof value === 'string' ? change(value) : value),
});

const statuses: Dialect[] = [
	statusWords('STATUS IN CAPITALS', (word) => word.toUpperCase()),
	statusWords('Status With A Capital', capitalize),
	statusWords('unknown status words', () => 'in_review'),
	statusWords('status words in another language', () => 'bestätigt'),
	statusWords('status words with a prefix', (word) => `STATUS_${word.toUpperCase()}`),
];

const IS_DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
const IS_ID = /(^id|Id|_id)$/;

/** Creates a dialect that writes some values in another form. */
const otherValues = (
	name: string,
	group: string,
	form: (value: unknown, name?: string) => unknown,
): Dialect => ({
	name,
	group,
	rewrite: onJson((body, request) =>
		isForm(request) ? body : mapMembers(body, (member, value) => [member, form(value, member)]),
	),
	form,
});

const onDate = (change: (ms: number, text: string) => unknown) => (value: unknown) =>
	typeof value === 'string' && IS_DATE.test(value) ? change(Date.parse(value), value) : value;

const values: Dialect[] = [
	otherValues(
		'dates without a zone',
		'dates',
		onDate((_, text) => text.replace(/(Z|[+-]\d\d:\d\d)$/, '')),
	),
	otherValues(
		'dates with an offset',
		'dates',
		onDate((ms) => new Date(ms + 7_200_000).toISOString().replace('Z', '+02:00')),
	),
	otherValues(
		'dates as seconds',
		'dates',
		onDate((ms) => Math.floor(ms / 1000)),
	),
	otherValues(
		'dates as milliseconds',
		'dates',
		onDate((ms) => ms),
	),
	otherValues('numbers as texts', 'values', (value) =>
		typeof value === 'number' ? `${value}` : value,
	),
	otherValues('IDs as texts', 'values', (value, name) =>
		typeof value === 'number' && IS_ID.test(name ?? 'id') ? `${value}` : value,
	),
	otherValues('booleans as texts', 'values', (value) =>
		typeof value === 'boolean' ? `${value}` : value,
	),
	otherValues('booleans as numbers', 'values', (value) =>
		typeof value === 'boolean' ? Number(value) : value,
	),
	otherValues('null for empty texts', 'values', (value) => (value === '' ? null : value)),
	{
		name: 'null and empty members absent',
		group: 'values',
		rewrite: onJson((body) =>
			mapMembers(body, (name, value) =>
				value === null || value === '' ? undefined : [name, value],
			),
		),
	},
	{
		name: 'further members, null',
		group: 'values',
		rewrite: onJson((body, request) =>
			isObject(body) && !isForm(request) ? { ...body, note: null } : body,
		),
	},
];

/** Creates a dialect that writes the same JSON in other bytes. */
const otherBytes = (
	name: string,
	type: string,
	encode: (text: string) => Buffer,
	headers: Record<string, string> = {},
): Dialect => ({
	name,
	group: 'bytes',
	rewrite: (answer): Answer | undefined => {
		const body = jsonIn(answer);
		if (body === undefined) return undefined;
		const rewritten = withBody(answer, body);
		return {
			...rewritten,
			headers: { ...rewritten.headers, 'content-type': type, ...headers },
			body: encode(rewritten.body.toString()),
		};
	},
});

const bytes: Dialect[] = [
	otherBytes('ISO 8859-1', 'application/json; charset=iso-8859-1', (text) =>
		Buffer.from(text, 'latin1'),
	),
	otherBytes('UTF-16', 'application/json; charset=utf-16le', (text) =>
		Buffer.from(text, 'utf16le'),
	),
	otherBytes('byte order mark', 'application/json', (text) => Buffer.from(`\uFEFF${text}`)),
	otherBytes('gzip', 'application/json', (text) => gzipSync(text), { 'content-encoding': 'gzip' }),
	otherBytes('text/plain', 'text/plain', (text) => Buffer.from(text)),
	otherBytes('text/html', 'text/html', (text) => Buffer.from(text)),
	otherBytes('no content type', '', (text) => Buffer.from(text)),
	otherBytes('escaped characters', 'application/json', (text) =>
		Buffer.from(
			text.replace(
				/[\u0080-\uffff]/g,
				(letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
			),
		),
	),
];

export const valueDialects = [...names, ...statuses, ...values, ...bytes];

// Checked by the compiler only (npm run typecheck): each marked line must fail to compile, and no other line may.
import type { IDataObject } from 'n8n-workflow';

import { collection, field, optional, shownIf } from '../../nodes/engine/field';
import { catalog, operation, resource } from '../../nodes/engine/operation';

const words = { name: 'Do', action: 'Do it', description: 'Does it' };
const typed = <T>(value: T) => value;

const job = field({
	displayName: 'Job ID',
	name: 'job',
	type: 'string',
	default: '',
	required: true,
	target: { in: 'path' },
});
const count = field({
	displayName: 'Count',
	name: 'count',
	type: 'number',
	default: 1,
	read: (given) => Number(given),
});
const note = field({ displayName: 'Note', name: 'note', type: 'string', default: '' });
const seen = field({
	displayName: 'Seen',
	name: 'seen',
	type: 'boolean',
	default: true,
	readWhenBlank: true,
	read: (given) => given === true,
});

export const get = operation({
	...words,
	request: 'HEAD /scope/{job}',
	fields: { job, count, seen },
	options: { note },
	idempotent: true,
	output: (output, { job: id, count: counted, seen: wasSeen, note: text }) => {
		typed<string>(id);
		typed<number | undefined>(counted);
		typed<boolean>(wasSeen);
		typed<string | undefined>(text);
		// @ts-expect-error a field that may be left blank may be undefined
		typed<number>(counted);
		// @ts-expect-error an option may be undefined
		typed<string>(text);
		return { id, status: output.status };
	},
});

operation({
	...words,
	fields: {
		inline: field({
			displayName: 'Inline',
			name: 'inline',
			type: 'string',
			default: '',
			required: true,
		}),
	},
	idempotent: true,
	run: async ({ inline }) => ({ inline: typed<string>(inline) }),
});

operation({
	...words,
	request: 'GET /scope/{job}',
	fields: { job },
	idempotent: true,
	// @ts-expect-error there is no such field
	output: (_, { jop }) => ({ jop: jop as string }),
});

operation({
	...words,
	fields: { job },
	idempotent: true,
	// @ts-expect-error there is no such field
	run: async ({ jop }) => ({ jop: jop as string }),
});

// @ts-expect-error the key of a field must be the name of the field
operation({ ...words, request: 'GET /x', fields: { jop: job }, idempotent: true });

// @ts-expect-error `idempotent` or `effect` is required
operation({ ...words, request: 'POST /x', fields: {} });

// @ts-expect-error `idempotent` and `effect` exclude each other
operation({ ...words, request: 'POST /x', fields: {}, idempotent: true, effect: 'it was done' });

// @ts-expect-error an operation that is not idempotent must name its `effect`
operation({ ...words, request: 'POST /x', fields: {}, idempotent: false });

// @ts-expect-error FETCH is not an HTTP method
operation({ ...words, request: 'FETCH /x', fields: {}, idempotent: true });

const run = async () => ({});
// @ts-expect-error `run` cannot be combined with `paging`
operation({ ...words, fields: {}, idempotent: true, run, paging: {} });
operation({ ...words, fields: {}, idempotent: true, run, returnsList: true });
// @ts-expect-error `returnsList` needs `run`; a request declares a list with `paging`
operation({ ...words, request: 'GET /x', fields: {}, idempotent: true, returnsList: true });
// @ts-expect-error `run` cannot be combined with `output`
operation({ ...words, fields: {}, idempotent: true, run, output: () => ({}) });
// @ts-expect-error `run` and `runBatch` exclude each other
operation({ ...words, fields: {}, idempotent: true, run, runBatch: async () => [] });
// @ts-expect-error an operation needs `request`, `run` or `runBatch`
operation({ ...words, fields: {}, idempotent: true });

resource({ name: 'Job', operations: { get }, defaultOperation: 'get' });
// @ts-expect-error `defaultOperation` must be a key of `operations`
resource({ name: 'Job', operations: { get }, defaultOperation: 'gett' });

const scope = resource({ name: 'Job', operations: { get }, defaultOperation: 'get' });
const service = { name: 'toy', credentialType: 'toyApi', secretFields: [], explain: () => ({}) };
catalog({ ...service, resources: { scope }, defaultResource: 'scope' });
// @ts-expect-error `defaultResource` must be a key of `resources`
catalog({ ...service, resources: { scope }, defaultResource: 'scopes' });

const hidden = shownIf(job, { seen: [true] });
const open = optional(job);
const more = collection({
	displayName: 'More',
	name: 'more',
	options: [count, note],
});
export const together = operation({
	...words,
	fields: { job: hidden, more },
	effect: 'the job was issued',
	runBatch: async (batch) =>
		await batch.each(async ({ job: id, more: added }) => {
			typed<string | undefined>(id);
			// @ts-expect-error a field that may be hidden may be undefined
			typed<string>(id);
			typed<number | undefined>(added?.count);
			// @ts-expect-error there is no such field in the collection
			typed<unknown>(added?.cuont);
			return { id } satisfies IDataObject;
		}),
});
export const unnarrowed = operation({
	...words,
	fields: { job: open },
	idempotent: true,
	// @ts-expect-error an optional field may be undefined
	run: async ({ job: id }) => ({ id: typed<string>(id) }),
});

// Protects users who map fields from n8n's preview of an operation: its output has these fields and types, and no others.
import type { IDataObject } from 'n8n-workflow';

import services from '../../contracts/services.json';
import { keyCache } from '../../nodes/PasswordlessIdentity/keyCache';
import { createOutputSchema, listResponseFields } from '../../scripts/schemas';
import { contractOperations } from '../support/contracts';
import { awaitWithin, useAcceleratedTime } from '../support/fakeClock';
import { packServices } from '../support/pack';
import { findSchemaMismatches } from '../support/preview';
import { operations, samples } from '../support/samples';
import { openForAllTests } from '../support/sandbox';
import { openRig } from '../support/sandboxRig';
import { runNode } from '../support/workflow';
import { outputVariants } from './outputVariants';
import type { OutputVariant } from './outputVariants';

/** Fields of a preview that the sandbox never returns, each with the test that covers it. */
const TESTED_ELSEWHERE: Record<string, Record<string, string>> = {
	'passwordlessIdentity key get': { jwk: 'keys of other kinds: PasswordlessIdentity/keyOnRecord' },
	'passwordlessIdentity key register': {
		secretLost: 'an answer without: PasswordlessIdentity/keys',
	},
	'passwordlessIdentity scopeJob issue': {
		handedOver: 'engine/trigger/ids/submittedIds',
		handOverReason: 'engine/trigger/ids/submittedIds',
		trouble: 'PasswordlessIdentity/waiting',
	},
	'passwordlessIdentity scopeJob waitUntilFinished': { trouble: 'PasswordlessIdentity/waiting' },
	'passwordlessIdentity scopeJob updateStatus': {
		verified: 'issuers that answer with a token: PasswordlessIdentity/jobChanges',
		token: 'issuers that answer with a token: PasswordlessIdentity/jobChanges',
	},
	'twoFactor approvalRequest create': {
		handedOver: 'engine/trigger/ids/submittedIds',
		handOverReason: 'engine/trigger/ids/submittedIds',
		trouble: 'TwoFactor/waiting',
	},
	'twoFactor approvalRequest sendAndWait': { trouble: 'TwoFactor/waiting' },
	'twoFactor approvalRequest waitForDecision': { trouble: 'TwoFactor/waiting' },
	'twoFactor user enroll': { isNew: 'services that tell: TwoFactor/tolerance' },
};

/** Fields that the node adds to those of the service if Simplify is off. */
const ADDED_FIELDS = [
	'subjectChecked',
	'signerChecked',
	'key',
	'seenOutstanding',
	'polls',
	'subject',
	'status',
	'uuid',
];

const rig = openForAllTests(async () => await openRig({ registrations: 300, contacts: 100 }));
useAcceleratedTime();

const findOperation = ({ node, resource, operation }: OutputVariant) => {
	const { service, contract } = packServices.find(({ name }) => name === node)!;
	return {
		row: service.resources[resource]!.operations[operation]!,
		contract: contractOperations(contract),
	};
};

const clearKeyCache = () => keyCache.drop(rig.sandbox.addresses.passwordlessIdentity);

/** Runs an operation once, and returns its output and the contract's requests that it sent. */
async function run(variant: OutputVariant, simplify: boolean) {
	const { sandbox, kit } = rig;
	const { node, resource, operation } = variant;
	const { credential } = services[node as keyof typeof services];
	sandbox.reset();
	clearKeyCache();
	const parameters = await variant.parameters(rig);
	clearKeyCache();
	sandbox.requestLog.clear();
	const credentialData = { ...kit.credentialData[credential], ...variant.credential?.(rig) };
	const running = runNode(
		{ ...kit, credentialData: { [credential]: credentialData } },
		node,
		{ resource, operation, ...parameters, simplify },
		[{}],
	);
	const progress = { isOver: false };
	const ended = running.finally(() => (progress.isOver = true));
	const runWithActor = async () => {
		while (!progress.isOver) {
			await variant.actMeanwhile?.(sandbox);
			await new Promise((resolve) => setImmediate(resolve));
		}
		return await ended;
	};
	const { outputItems, error } = await awaitWithin(runWithActor(), 120_000);
	expect(error).toBeUndefined();
	expect(outputItems).not.toEqual([]);
	return {
		outputItems,
		operationIds: sandbox.requestLog.entries().map(({ operationId }) => operationId),
	};
}

const variants: OutputVariant[] = [...samples, ...outputVariants];
const variantsByOperation = operations.map((label) => ({
	label,
	runs: variants.filter(
		({ node, resource, operation }) => `${node} ${resource} ${operation}` === label,
	),
}));

describe.each(variantsByOperation)('$label', ({ label, runs }) => {
	const { row, contract } = findOperation(runs[0]!);
	const schema = createOutputSchema(row, contract)?.properties ?? {};

	it('outputs exactly the fields of its preview, in that order', async () => {
		const items: IDataObject[] = [];
		for (const variant of runs) items.push(...(await run(variant, true)).outputItems);
		expect(findSchemaMismatches(items, schema)).toEqual([]);
		const outputFields = new Set(
			items.flatMap((item) => Object.keys(item).filter((name) => item[name] !== null)),
		);
		const missingFields = Object.keys(schema).filter((name) => !outputFields.has(name));
		expect(missingFields).toEqual(Object.keys(TESTED_ELSEWHERE[label] ?? {}));
		// The fields have the order of the preview, with the most important fields first.
		for (const item of items) {
			const expectedFields = Object.keys(schema).filter((name) => name in item);
			expect(Object.keys(item)).toEqual(expectedFields);
		}
	});

	const isForm = row.fields.length > 0 && label.endsWith('getForm');
	if (row.simplify && !isForm) {
		it('outputs no unknown field if Simplify is off', async () => {
			const { outputItems, operationIds } = await run(runs[0]!, false);
			// A contract may describe the response to a write only as an object. The reads with the same tag describe its fields.
			const requestTags = contract
				.filter(({ operationId }) => operationIds.includes(operationId))
				.flatMap(({ tags }) => tags);
			const operations = contract.filter(({ tags }) =>
				tags.some((tag) => requestTags.includes(tag)),
			);
			const knownFields = new Set([
				...Object.keys(schema),
				...operations.flatMap((operation) => listResponseFields(operation)),
				...ADDED_FIELDS,
			]);
			const unknown = outputItems
				.flatMap((item) => Object.keys(item))
				.filter((name) => !knownFields.has(name));
			expect([...new Set(unknown)]).toEqual([]);
		});
	}
});

it('TESTED_ELSEWHERE names only operations of the pack', () => {
	expect(Object.keys(TESTED_ELSEWHERE).filter((label) => !operations.includes(label))).toEqual([]);
});

// Protects users of every operation: it sends what the contract requires, and only fields of the contract.
import type { Schema } from '../../contracts/read';
import type { RequestPart } from '../../nodes/engine/field';
import type { Operation } from '../../nodes/engine/operation';
import { requestBodySchema, contractOperations } from '../support/contracts';
import { packServices } from '../support/pack';
import {
	findFieldSchema,
	listOperations,
	listSentFields,
	pairWithContract,
	requestLineOf,
} from './walk';
import type { SentField } from './walk';

/** JSON types that a field without its own reader can send, by the field's type in n8n. */
const typesByField: Record<string, string[]> = {
	string: ['string'],
	number: ['number', 'integer'],
	boolean: ['boolean'],
	options: ['string'],
	multiOptions: ['array'],
	dateTime: ['string'],
	json: ['object', 'array', 'string'],
	resourceLocator: ['string'],
	fixedCollection: ['object', 'array'],
};

/** Whether the schema accepts the JSON type that a field sends. */
function matchesSchema({ field, place }: SentField, schema: Schema): boolean {
	if (field.read) return true;
	const possibleTypes = typesByField[field.type] ?? [];
	// In a URL every value is text.
	if ((place === 'path' || place === 'query') && possibleTypes.includes('string')) return true;
	const types = [schema, ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].flatMap(
		({ type }) => type ?? [],
	);
	return types.length === 0 || types.some((type) => possibleTypes.includes(type));
}

/** Returns the names of the query parameters that paging sets. */
const pagingParameters = (operation: Operation) =>
	[operation.paging?.pageParameter, operation.paging?.size?.name].filter(Boolean);

describe.each(packServices)('the table of $name', (packService) => {
	const contract = contractOperations(packService.contract);
	const operations = listOperations(packService);

	it('has exactly one row for every operation of the contract', () => {
		const requestLines = operations.flatMap(({ operation: { request } }) =>
			request ? [requestLineOf(request)] : [],
		);
		expect(requestLines.sort()).toEqual(contract.map(requestLineOf).sort());
	});

	it('has every row under the resource that the contract names', () => {
		for (const resource of Object.values(packService.service.resources)) {
			for (const { request } of Object.values(resource.operations)) {
				const contractOperation =
					request &&
					contract.find((candidate) => requestLineOf(candidate) === requestLineOf(request));
				if (contractOperation)
					expect(`${request.path} ${resource.name}`).toBe(
						`${contractOperation.path} ${contractOperation.tags[0]}`,
					);
			}
		}
	});

	it.each(operations)(
		'has an operation that is idempotent, or names its effect: $label',
		({ operation }) => {
			// Messages continue "It's unclear whether" with the effect.
			if (operation.idempotent) expect(operation.effect).toBeUndefined();
			else expect(operation.effect).toMatch(/^[a-z].* .*[^.!?\s]$/);
		},
	);

	const pairs = pairWithContract(packService);

	it.each(pairs)(
		'has an operation that sends only fields of the contract, with a matching type: $label',
		({ operation, contractOperation }) => {
			for (const sent of listSentFields(operation)) {
				const schema = findFieldSchema(sent, contractOperation);
				expect({ field: sent.name, place: sent.place, isInContract: schema !== undefined }).toEqual(
					{
						field: sent.name,
						place: sent.place,
						isInContract: true,
					},
				);
				expect({ field: sent.name, matchesSchema: matchesSchema(sent, schema!) }).toEqual({
					field: sent.name,
					matchesSchema: true,
				});
			}
		},
	);

	it.each(pairs)(
		'has an operation that sends everything that the contract requires: $label',
		({ operation, contractOperation }) => {
			const sentFields = listSentFields(operation);
			const isSent = (place: RequestPart, name: string) =>
				sentFields.some(
					(entry) =>
						entry.place === place && (entry.name === name || entry.name.startsWith(`${name}.`)),
				);
			const missing: string[] = contractOperation.parameters
				.filter(
					({ required, in: place, name }) =>
						required && place !== 'header' && !isSent(place as RequestPart, name),
				)
				.map(({ in: place, name }) => `${place} ${name}`);
			// Body parts that an operation's own code adds are covered by its tests against the sandbox.
			if (!operation.run && !operation.runBatch) {
				const body = requestBodySchema(contractOperation);
				const claims = body?.['x-jwt-claims'];
				const place = claims ? 'claim' : 'body';
				const needsWholeBody = body && !claims && body.type !== 'object' && !body.properties;
				if (needsWholeBody && !sentFields.some((entry) => entry.place === 'wholeBody'))
					missing.push('body');
				for (const name of (claims ?? body)?.required ?? [])
					if (!isSent(place, name)) missing.push(`${place} ${name}`);
			}
			for (const name of pagingParameters(operation)) {
				expect(contractOperation.parameters.map((parameter) => parameter.name)).toContain(name);
			}
			expect(missing).toEqual([]);
		},
	);
});

import serviceTable from '../contracts/services.json';
import { loadContract } from './contract';
import type { CheckedRequest, ContractOperation } from './contract';
import { parseForm } from './parseForm';
import type { ServiceDefinition } from './service';

/** Returns the service without anything that its contract does not define. */
export function asStrict(service: ServiceDefinition): ServiceDefinition {
	return { ...service, lenient: undefined };
}

/** Returns the service with the handlers of operations outside its contract. */
export function asLenient(service: ServiceDefinition): ServiceDefinition {
	return { ...service, handlers: { ...service.handlers, ...service.lenient?.handlers } };
}

/** Returns the operations of a service: those of its contract and, in lenient mode, those that other clients use. */
export async function loadOperations(service: ServiceDefinition): Promise<ContractOperation[]> {
	const { aliases = {}, contract } = service.lenient ?? {};
	const operations = await loadContract(service.contract ?? serviceTable[service.name].contract);
	const otherOperations = contract === undefined ? [] : await loadContract(contract);
	const aliasedOperations = Object.entries(aliases).flatMap(([path, operationId]) =>
		operations
			.filter((operation) => operation.operationId === operationId)
			.map((operation) => ({ ...operation, path })),
	);
	return [...operations, ...otherOperations, ...aliasedOperations];
}

/**
 * Moves a form's values to where the operation expects its parameters: into the JSON body, together with those in the query,
 * or into the query if the operation has no body.
 */
export function applyForm(
	operation: ContractOperation,
	request: CheckedRequest,
	text: string,
): void {
	const form = parseForm(text);
	if (operation.accepts.length === 0) {
		for (const [name, value] of Object.entries(form)) request.query[name] ??= value;
		return;
	}
	request.requestBody = { ...request.query, ...form };
	operation.convertForm(request);
}

import type { FieldProblems } from '../controlError';
import type { DemoEvent } from '../demoData';
import type { WriteContext } from '../deskBus';
import { addTransaction } from './payments';
import { formatFullName, toIsoTime, computeTotals } from './records';
import type { Order, Registration } from './records';
import { invalid } from './responses';
import type { Store } from './store';

interface OptionInput {
	RegistrationOptionId: number;
	RegistrationOptionGroupId?: number;
	Quantity?: number;
	Price?: number;
	Total?: number;
	AdditionalInfo?: string;
}

/** Body of the operation Replace Options. */
export interface ReplaceOptionsInput {
	PaymentAmount?: number;
	RegistrationOptions: OptionInput[];
}

interface ResolvedOption {
	input: OptionInput;
	option: DemoEvent['groups'][number]['options'][number];
	group: DemoEvent['groups'][number];
	quantity: number;
}

function resolveOptions(event: DemoEvent, inputs: readonly OptionInput[]): ResolvedOption[] {
	const problems: FieldProblems = {};
	const resolvedOptions: ResolvedOption[] = [];
	inputs.forEach((input, index) => {
		const addProblem = (field: string, text: string) => {
			(problems[`RegistrationOptions[${index}].${field}`] ??= []).push(text);
		};
		const group = event.groups.find(({ options }) =>
			options.some(({ id }) => id === input.RegistrationOptionId),
		);
		const option = group?.options.find(({ id }) => id === input.RegistrationOptionId);
		if (!group || !option) {
			addProblem('RegistrationOptionId', `There is no such option in event ${event.id}.`);
			return;
		}
		if ((input.RegistrationOptionGroupId ?? group.id) !== group.id) {
			addProblem('RegistrationOptionGroupId', `The option belongs to group ${group.id}.`);
		}
		const quantity = input.Quantity ?? 1;
		if (quantity > option.max) addProblem('Quantity', `At most ${option.max} per attendee.`);
		if (option.questionRequired && !input.AdditionalInfo?.trim()) {
			addProblem('AdditionalInfo', `${option.question} is required.`);
		}
		resolvedOptions.push({ input, option, group, quantity });
	});
	if (Object.keys(problems).length > 0) throw invalid(problems);
	return resolvedOptions;
}

/**
 * Replaces the current order with a new one and charges the given amount, or else the difference between the two. Calling it
 * twice charges twice.
 */
export function replaceOptions(
	store: Store,
	event: DemoEvent,
	registration: Registration,
	input: ReplaceOptionsInput,
	context: WriteContext,
): Order & { TransactionId: number | null } {
	const resolvedOptions = resolveOptions(event, input.RegistrationOptions);
	const previousSale = store.listOrders(event, registration.RegistrationId).at(-1);
	const orderId = store.newId('order');
	const items = resolvedOptions.map(({ input: optionInput, option, group, quantity }) => {
		const id = store.newId('orderItem');
		const price = optionInput.Price ?? option.price;
		return {
			OrderItemId: id,
			OrderId: orderId,
			EventId: event.id,
			Id: String(id),
			RegistrationOptionId: option.id,
			RegistrationOptionName: option.name,
			RegistrationOptionGroupId: group.id,
			RegistrationOptionGroupName: group.name,
			Quantity: quantity,
			Price: price,
			Total: optionInput.Total ?? price * quantity,
			AdditionalInfo: optionInput.AdditionalInfo ?? '',
			AdditionalInfoCaption: option.question,
		};
	});
	const order: Order = {
		OrderId: orderId,
		Id: String(orderId),
		EventId: event.id,
		RegistrationId: registration.RegistrationId,
		OrderDate: toIsoTime(context.now),
		...computeTotals(items),
		PassFeeToAttendee: false,
		IsReplaced: false,
	};
	const sale = { order, items };
	if (previousSale) previousSale.order.IsReplaced = true;
	store.orders.add(event.index, sale);
	const addedSales = store.addedOrders.get(registration.RegistrationId) ?? [];
	store.addedOrders.set(registration.RegistrationId, [...addedSales, sale]);
	registration.LastUpdated = toIsoTime(context.now);

	const difference = order.OrderTotal - (previousSale?.order.OrderTotal ?? 0);
	const amount = input.PaymentAmount ?? difference;
	store.publish(
		context,
		`${formatFullName(registration)} ordered for ${order.OrderTotal} ${event.currency}`,
		{ event },
	);
	if (amount === 0) return { ...order, TransactionId: null };
	const memo = previousSale ? `Replaces order ${previousSale.order.OrderId}` : '';
	const transaction = addTransaction(store, event, { orderId, amount, memo }, context);
	return { ...order, TransactionId: transaction.TransactionId };
}

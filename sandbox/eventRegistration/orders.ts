import type { ServiceRequest, Handler, Settings } from '../service';
import type { Transaction } from './records';
import {
	newerThan,
	pageResponse,
	notFound,
	recordResponse,
	recordOrArrayResponse,
} from './responses';
import type { PageQuery } from './responses';
import type { Store } from './store';

type Added = PageQuery & { addedAfter?: string };
interface OfEvent {
	eventId: number;
}

/** Handlers of orders and transactions. */
export function orderHandlers(store: () => Store, settings: Settings): Record<string, Handler> {
	const findSale = (orderId: number, eventId: number) =>
		store().sale(store().event(eventId), orderId);
	const added = (list: readonly Transaction[], query: Added) =>
		pageResponse(
			settings,
			query,
			newerThan(list, query.addedAfter, (it) => it.TransactionDate),
		);

	return {
		searchOrders({ query, body }: ServiceRequest<object, Added, number>) {
			const sales = store().sales.list(store().event(body).index);
			const chosen = newerThan(sales, query.addedAfter, ({ order }) => order.OrderDate);
			return pageResponse(settings, query, chosen, ({ order }) => order);
		},
		searchOrderItems({ query, body }: ServiceRequest<object, PageQuery & OfEvent, number>) {
			const event = store().event(query.eventId);
			const registration = store().registration(event, body);
			const sales = store().salesOf(event, registration.RegistrationId);
			return pageResponse(
				settings,
				query,
				sales.flatMap(({ items }) => items),
			);
		},
		getOrder({ params, query }: ServiceRequest<{ orderId: number }, OfEvent>) {
			return recordResponse(settings, findSale(params.orderId, query.eventId).order);
		},
		getOrderItems({ params, query }: ServiceRequest<{ orderId: number }, PageQuery & OfEvent>) {
			return pageResponse(settings, query, findSale(params.orderId, query.eventId).items);
		},
		getManyTransactions({ query }: ServiceRequest<object, Added>) {
			return added(store().transactions.all(), query);
		},
		searchTransactions({ query, body }: ServiceRequest<object, Added, number>) {
			return added(store().transactions.list(store().event(body).index), query);
		},
		getTransaction({ params }: ServiceRequest<{ transactionId: number }>) {
			const found = store().transactions.find(params.transactionId);
			if (!found) throw notFound(`There is no transaction ${params.transactionId}.`);
			return recordOrArrayResponse(settings, found.record);
		},
	};
}

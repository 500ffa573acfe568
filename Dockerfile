# zertz-db with its extras, except `fit` and `history`. The database lies in the volume /data: docker run -v games:/data -p 8501:8501 zertz-db
FROM python:3.13-slim
RUN useradd --create-home --uid 1000 zertz && mkdir /data && chown zertz /data
WORKDIR /source
COPY . .
RUN pip install --no-cache-dir ".[db,fast,dashboard,api,cluster,pictures]" && rm -rf /source/*
USER zertz
WORKDIR /data
ENV ZERTZ_DB=/data/games.zertz ZERTZ_CACHE=/data/.cache
EXPOSE 8501 8000
# --host opens the port to other machines: publish it only on a trusted network, or behind a proxy with a login.
ENTRYPOINT ["zertz"]
CMD ["dashboard", "--host", "0.0.0.0", "--no-browser"]

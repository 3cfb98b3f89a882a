@echo off
rem Runs Maven: the one on the PATH when it is 3.8.7 or newer, else a pinned one, fetched once from the Apache archive
rem and compared with the SHA-512 sum published beside it.
setlocal
set "DAYBREAK_MAVEN=3.9.11"
set "DAYBREAK_CACHE=%USERPROFILE%\.m2\wrapper\daybreak"
set "DAYBREAK_HOME=%DAYBREAK_CACHE%\apache-maven-%DAYBREAK_MAVEN%"

for /f "tokens=3" %%v in ('mvn --version 2^>nul ^| findstr /c:"Apache Maven"') do set "DAYBREAK_INSTALLED=%%v"
if defined DAYBREAK_INSTALLED (
  powershell -NoProfile -Command "exit [int](-not ([version]($env:DAYBREAK_INSTALLED -replace '[^0-9.].*') -ge [version]'3.8.7'))" && (
    call mvn %*
    goto done
  )
)

if not exist "%DAYBREAK_HOME%\bin\mvn.cmd" (
  echo mvnw: fetching Maven %DAYBREAK_MAVEN% 1>&2
  powershell -NoProfile -Command ^
    "$ErrorActionPreference = 'Stop'; $ProgressPreference = 'SilentlyContinue';" ^
    "$name = 'apache-maven-' + $env:DAYBREAK_MAVEN + '-bin.zip';" ^
    "$url = 'https://archive.apache.org/dist/maven/maven-3/' + $env:DAYBREAK_MAVEN + '/binaries/' + $name;" ^
    "New-Item -ItemType Directory -Force $env:DAYBREAK_CACHE | Out-Null;" ^
    "$zip = Join-Path $env:DAYBREAK_CACHE $name;" ^
    "Invoke-WebRequest -UseBasicParsing $url -OutFile $zip;" ^
    "Invoke-WebRequest -UseBasicParsing ($url + '.sha512') -OutFile ($zip + '.sha512');" ^
    "$expected = ((Get-Content ($zip + '.sha512') -Raw).Trim() -split '\s+')[0];" ^
    "if ((Get-FileHash $zip -Algorithm SHA512).Hash -ne $expected) { throw ('the SHA-512 sum of ' + $name + ' is not the published one') };" ^
    "Expand-Archive $zip $env:DAYBREAK_CACHE -Force; Remove-Item $zip, ($zip + '.sha512')" || exit /b 1
)
call "%DAYBREAK_HOME%\bin\mvn.cmd" %*

:done
exit /b %errorlevel%
